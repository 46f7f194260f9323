import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../../core/session.ts';
import { usePage } from '../../core/page-context.ts';
import { knownZone, nextTimeOfDay } from '../../core/zone-time.ts';
import { foldAround, Popover } from '../conversation/popover.ts';

const MORNING = '09:00';
/** By then, work that is due at nine has begun. */
const PAST_MORNING_MS = 5_000;
const HOUR_MS = 3_600_000;
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The sandbox's clock, and the buttons that move it. */
export function ClockBar(): VNode {
  const { session, state } = usePage();
  const nowMs = useNow();
  const zone = knownZone(state.snapshot?.viewer.timeZone ?? 'UTC');
  const now = new Date(nowMs);
  const day = `${weekdays[now.getUTCDay()]} ${now.toISOString().slice(0, 10)}`;
  const time = `${now.toISOString().slice(11, 16)} UTC`;
  const moveTo = (instantMs: number) => void session.moveClock(new Date(instantMs));
  const nextMorning = () => void moveToNextMorning(session);
  const onSubmit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const written = new FormData(event.currentTarget).get('instant');
    const instantMs = Date.parse(`${typeof written === 'string' ? written : ''}Z`);
    if (Number.isNaN(instantMs)) return;
    foldAround(event.currentTarget);
    moveTo(instantMs);
  };
  return html`<div class="clock-bar" role="group" aria-label="Clock of the sandbox">
    <time class="clock" datetime=${now.toISOString()} data-testid="clock"
      ><span>${day}</span>${' '}<span>${time}</span></time
    >
    <button
      type="button"
      class="button button-small"
      disabled=${state.isClockMoving}
      data-testid="next-morning"
      title=${`The next ${MORNING} in ${zone}`}
      onClick=${nextMorning}
    >
      Next morning
    </button>
    <button
      type="button"
      class="button button-small"
      disabled=${state.isClockMoving}
      data-testid="next-hour"
      onClick=${() => moveTo(session.nowMs() + HOUR_MS)}
    >
      +1 hour
    </button>
    <${Popover} class="clock-set" summary="Set…" testId="clock-set">
      <form onSubmit=${onSubmit}>
        <label for="clock-instant">Date and time, in UTC</label>
        <input
          id="clock-instant"
          name="instant"
          type="datetime-local"
          required
          defaultValue=${now.toISOString().slice(0, 16)}
          data-testid="clock-instant"
        />
        <button type="submit" class="button button-primary" data-testid="clock-go">Move the clock</button>
      </form>
    </${Popover}>
  </div>`;
}

/** Moves the clock past the next 9:00 of the acting person. */
export async function moveToNextMorning(session: Session): Promise<void> {
  const zone = knownZone(session.state.snapshot?.viewer.timeZone ?? 'UTC');
  await session.moveClock(new Date(nextTimeOfDay(session.nowMs(), MORNING, zone) + PAST_MORNING_MS));
}

/** Returns the sandbox's time, updated each second. */
function useNow(): number {
  const { session } = usePage();
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return session.nowMs();
}
