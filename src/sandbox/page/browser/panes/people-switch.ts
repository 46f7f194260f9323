import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { PersonView } from '../../../slack/people/control-types.ts';
import { usePage } from '../core/page-context.ts';
import { waitingFor } from '../core/reduce.ts';
import { Avatar } from './avatar.ts';
import { foldAround, Popover } from './conversation/popover.ts';

const FEATURED = 3;

/** Selects the acting person. People with a role for the app come first; “Others” contains the rest. */
export function PeopleSwitch(): VNode {
  const { session, state } = usePage();
  const { snapshot, settings } = state;
  const people = snapshot?.people.filter(({ isBot }) => !isBot) ?? [];
  const handles = Object.keys(settings.roles);
  const withRole = handles
    .map((handle) => people.find((person) => person.handle === handle))
    .filter((person) => person !== undefined);
  const first = withRole.length > 0 ? withRole : people.slice(0, FEATURED);
  const rest = people.filter((person) => !first.includes(person));
  const viewer = snapshot?.viewer;

  const become = (person: PersonView) =>
    session.become(person.id).catch((error: unknown) => session.complain(`Becoming ${person.name}`, error));
  const option = (person: PersonView, isFeatured: boolean) =>
    html`<button
      type="button"
      class="person"
      key=${person.id}
      aria-pressed=${person.id === viewer?.id}
      data-testid=${`person-${person.handle}`}
      onClick=${(event: { currentTarget: HTMLButtonElement }) => {
        if (!isFeatured) foldAround(event.currentTarget);
        void become(person);
      }}
    >
      <${Avatar} id=${person.id} name=${person.name} />
      <span class="person-name">${isFeatured ? firstName(person) : person.name}</span>
      <small>${roleWords(person, settings.roles)}</small>
      ${waitingFor(state, person.id) > 0 && waitingDot(person)}
    </button>`;
  const other = rest.find(({ id }) => id === viewer?.id);
  const summary = other === undefined ? 'Others' : `${firstName(other)} (${roleWords(other, settings.roles)})`;

  return html`<div class="people" role="group" aria-label="Who you are">
    <span class="people-label" aria-hidden="true">You are</span>
    ${first.map((person) => option(person, true))}
    ${
      rest.length > 0 &&
      html`<${Popover} class="others" summary=${html`${summary}${rest.some(({ id }) => waitingFor(state, id) > 0) && waitingDot()}`} testId="other-people">
        <div class="others-list">${rest.map((person) => option(person, false))}</div>
      </${Popover}>`
    }
  </div>`;
}

/** Marks people with direct messages that they have not looked at. */
const waitingDot = (person?: PersonView) =>
  html`<span
    class="waiting-dot"
    role="img"
    aria-label="has new messages"
    title="New messages of the app"
    data-testid=${person === undefined ? 'waiting-others' : `waiting-${person.handle}`}
  ></span>`;

const firstName = ({ name }: PersonView) => name.split(' ')[0] ?? name;

function roleWords(person: PersonView, roles: Readonly<Record<string, string>>): string {
  const role = roles[person.handle];
  if (role !== undefined) return role;
  if (person.isDeactivated) return 'deactivated';
  if (person.isStranger) return 'other workspace';
  if (person.isGuest) return 'guest';
  if (person.isOwner) return 'owner';
  return person.isAdmin ? 'admin' : 'member';
}
