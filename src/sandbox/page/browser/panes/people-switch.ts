import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { PersonView } from '../../../slack/control-types.ts';
import { usePage } from '../core/page-context.ts';
import { Avatar } from './avatar.ts';

const FEATURED = 3;

/** Who acts: one button a person. Those with a role for the app stand first; the others are behind “Others”. */
export function PeopleSwitch(): VNode {
  const { session, state } = usePage();
  const { snapshot, settings } = state;
  const others = useRef<HTMLDetailsElement>(null);
  const people = snapshot?.people.filter(({ isBot }) => !isBot) ?? [];
  const handles = Object.keys(settings.roles);
  const withRole = handles
    .map((handle) => people.find((person) => person.handle === handle))
    .filter((person) => person !== undefined);
  const first = withRole.length > 0 ? withRole : people.slice(0, FEATURED);
  const rest = people.filter((person) => !first.includes(person));
  const viewer = snapshot?.viewer;

  const become = (person: PersonView) => {
    if (others.current) others.current.open = false;
    session.become(person.id).catch((error: unknown) => session.complain(`Becoming ${person.name}`, error));
  };
  const option = (person: PersonView) =>
    html`<button
      type="button"
      class="person"
      key=${person.id}
      aria-pressed=${person.id === viewer?.id}
      data-testid=${`person-${person.handle}`}
      onClick=${() => become(person)}
    >
      <${Avatar} id=${person.id} name=${person.name} />
      <span class="person-name">${person.name.split(' ')[0]}</span>
      <small>${roleWords(person, settings.roles)}</small>
    </button>`;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !others.current) return;
    others.current.open = false;
    others.current.querySelector('summary')?.focus();
  };
  const isOther = rest.some(({ id }) => id === viewer?.id);

  return html`<div class="people" role="group" aria-label="Who you are">
    <span class="people-label" aria-hidden="true">You are</span>
    ${first.map(option)}
    ${
      rest.length > 0 &&
      html`<details class="others" ref=${others} onKeyDown=${onKeyDown}>
        <summary data-testid="other-people">
          ${isOther && viewer ? `${viewer.name.split(' ')[0]} (${roleWords(viewer, settings.roles)})` : 'Others'}
        </summary>
        <div class="others-list">${rest.map(option)}</div>
      </details>`
    }
  </div>`;
}

/** What a person is, in one or two words. */
function roleWords(person: PersonView, roles: Readonly<Record<string, string>>): string {
  const role = roles[person.handle];
  if (role !== undefined) return role;
  if (person.isDeactivated) return 'deactivated';
  if (person.isStranger) return 'other workspace';
  if (person.isGuest) return 'guest';
  if (person.isOwner) return 'owner';
  return person.isAdmin ? 'admin' : 'member';
}
