import type { ControlResults, Delivery, SlackEvent, Snapshot } from '../../../slack/people/control-types.ts';
import { announcementOf } from './announcements.ts';
import {
  askClock,
  control,
  readSettings,
  readSnapshot,
  RefusedError,
  type ControlAction,
  type ActInput,
} from './control.ts';
import { deliveryFailure, errorWords } from './failure-words.ts';
import { applyEvent, waitingFor, withModals } from './reduce.ts';
import { createStore, emptyState, type DrawerName, type Notice, type PageState, type Place } from './state.ts';
import { followEvents } from './stream.ts';
import { untilAnswered } from './until-answered.ts';
import {
  appMessages,
  choosePlace,
  placeChannel,
  readAddress,
  rememberedPerson,
  rememberPerson,
  writeAddress,
} from './places.ts';

const KEPT_TRAFFIC = 400;
const KEPT_NOTICES = 20;
const CLOCK_CHECK_MS = 10_000;

/** The state of the page and the actions of a person. The components only draw the state and call the methods. */
export class Session {
  readonly #store = createStore<PageState>(emptyState);
  #stopFollowing: () => void = () => undefined;
  #noticeCount = 0;
  /** Set during a read of the state, so that a burst of events causes one read. */
  #refresh: Promise<void> | null = null;

  constructor() {
    // Direct messages count as seen while they are on the screen.
    this.#store.watch(() => this.#lookAtDirectMessages());
  }

  get state(): PageState {
    return this.#store.read();
  }

  watch(listener: () => void): () => void {
    return this.#store.watch(listener);
  }

  /** The sandbox's time. */
  nowMs(): number {
    return Date.now() + this.state.clockOffsetMs;
  }

  async start(): Promise<void> {
    await untilAnswered(
      () => this.#open(),
      (error) => this.#store.change({ failure: errorWords('Opening the workspace', error) }),
    );
    setInterval(() => void this.#checkClock(), CLOCK_CHECK_MS);
    await this.#checkClock();
  }

  async #open(): Promise<void> {
    const settings = await readSettings();
    this.#store.change({ settings });
    await this.#openAsFirstPossible([readAddress().as, rememberedPerson(), ...Object.keys(settings.roles), 'morgan']);
  }

  /** Only a person who does not exist makes way for the next one. A sandbox that fails is asked again for the same person. */
  async #openAsFirstPossible(candidates: readonly (string | null)[]): Promise<void> {
    const people = [...new Set(candidates)].filter((candidate) => candidate !== null);
    for (const [index, candidate] of people.entries()) {
      try {
        await this.become(candidate);
        return;
      } catch (error) {
        const isUnknown = error instanceof RefusedError && error.code === 'no_such_person';
        if (!isUnknown || index === people.length - 1) throw error;
      }
    }
  }

  #lookAtDirectMessages(): void {
    const { snapshot, place, seenDirect } = this.state;
    if (snapshot === null || placeChannel(place, snapshot)?.id !== appMessages(snapshot).id) return;
    const { id } = snapshot.viewer;
    if (waitingFor(this.state, id) > 0)
      this.#store.change({ seenDirect: { ...seenDirect, [id]: snapshot.directMessages[id] ?? 0 } });
  }

  async become(person: string): Promise<void> {
    const snapshot = await readSnapshot(person);
    this.#stopFollowing();
    const before = this.state;
    const reference = before.snapshot === null ? readAddress().channel : null;
    const place = choosePlace(snapshot, reference, before.place);
    this.#store.change({
      snapshot,
      place,
      threadTs: null,
      unread: this.#unreadOf(snapshot),
      notices: [],
      isLive: true,
      failure: null,
      clockOffsetMs: Date.parse(snapshot.now) - Date.now(),
      announcement: before.snapshot === null ? '' : `You are now ${snapshot.viewer.name}`,
    });
    rememberPerson(snapshot.viewer.handle);
    this.#writeAddress();
    this.#follow(snapshot);
    if (place.kind === 'home') this.#openHomeOrComplain();
  }

  #unreadOf(snapshot: Snapshot): Record<string, number> {
    const count = waitingFor({ snapshot, seenDirect: this.state.seenDirect }, snapshot.viewer.id);
    return count === 0 ? {} : { [appMessages(snapshot).id]: count };
  }

  #follow(snapshot: Snapshot): void {
    this.#stopFollowing = followEvents(snapshot.viewer.id, snapshot.seq, {
      onEvent: (event) => this.#take(event),
      onLost: () => this.#store.change({ isLive: false }),
      resume: async () => {
        await this.refresh();
        this.#store.change({ isLive: true });
        return this.state.snapshot?.seq ?? 0;
      },
    });
  }

  /** Reads the state again. Calls during a read share its answer. */
  refresh(): Promise<void> {
    this.#refresh ??= this.#readAgain().finally(() => {
      this.#refresh = null;
    });
    return this.#refresh;
  }

  async #readAgain(): Promise<void> {
    const viewer = this.state.snapshot?.viewer.id;
    if (viewer === undefined) return;
    const seqBefore = this.state.snapshot?.seq ?? 0;
    const snapshot = await readSnapshot(viewer);
    if (this.state.snapshot?.viewer.id !== viewer) return;
    // Events that arrived during the read may be missing in it, and never come again. A restarted sandbox counts from 0.
    const { seq } = this.state.snapshot;
    if (seq > seqBefore && seq > snapshot.seq) return this.#readAgain();
    const place = choosePlace(snapshot, null, this.state.place);
    this.#store.change({ snapshot, place, clockOffsetMs: Date.parse(snapshot.now) - Date.now() });
  }

  #take(event: SlackEvent): void {
    const { snapshot, traffic } = this.state;
    if (snapshot === null) return;
    if (event.kind === 'traffic') {
      this.#store.change({ traffic: [...traffic, event.traffic].slice(-KEPT_TRAFFIC) });
      return;
    }
    const after = applyEvent(snapshot, event);
    if (after === null) {
      // A read in progress may have begun before this event. With its number here, that read finds out and is repeated.
      this.#store.change({ snapshot: { ...snapshot, seq: Math.max(snapshot.seq, event.seq) } });
      this.refresh().catch((error: unknown) => this.complain('Reading the workspace again', error));
      return;
    }
    this.#store.change({ snapshot: after, ...this.#noticed(event) });
  }

  #noticed(event: SlackEvent): Partial<PageState> {
    if (event.kind !== 'message' && event.kind !== 'ephemeral') return {};
    const { snapshot, place, unread } = this.state;
    if (snapshot === null || event.message.author === snapshot.viewer.id) return {};
    const isShown = placeChannel(place, snapshot)?.id === event.channel;
    const announcement = announcementOf(event.message, snapshot, isShown ? null : event.channelName);
    if (isShown) return { announcement };
    return { announcement, unread: { ...unread, [event.channel]: (unread[event.channel] ?? 0) + 1 } };
  }

  go(place: Place): void {
    const channel = placeChannel(place, this.state.snapshot)?.id;
    const unread = Object.fromEntries(Object.entries(this.state.unread).filter(([channelId]) => channelId !== channel));
    this.#store.change({ place, unread, threadTs: null, isSidebarOpen: false });
    this.#writeAddress();
    if (place.kind === 'home') this.#openHomeOrComplain();
  }

  #openHomeOrComplain(): void {
    this.openHome().catch((error: unknown) => this.complain('Opening App Home', error));
  }

  #writeAddress(): void {
    const { snapshot, place } = this.state;
    if (snapshot !== null && place !== null) writeAddress(snapshot, place);
  }

  openThread(threadTs: string | null): void {
    this.#store.change({ threadTs, drawer: null });
  }

  openDrawer(drawer: DrawerName | null): void {
    this.#store.change({ drawer, ...(drawer === null ? {} : { threadTs: null }) });
    if (drawer !== 'traffic') return;
    control('traffic', { limit: KEPT_TRAFFIC }).then(
      (traffic) => this.#store.change({ traffic: traffic.toSorted((a, b) => a.id - b.id) }),
      (error: unknown) => this.complain('Reading the traffic', error),
    );
  }

  showSidebar(isSidebarOpen: boolean): void {
    this.#store.change({ isSidebarOpen });
  }

  async openHome(): Promise<void> {
    // The view comes as an event. The one in this answer may be older than that.
    const { delivery } = await this.act('openHome', { tab: 'home' });
    this.report('App Home', delivery);
  }

  async act<Action extends ControlAction>(action: Action, input: ActInput<Action>): Promise<ControlResults[Action]> {
    const as = this.state.snapshot?.viewer.id ?? '';
    return control(action, { ...input, as });
  }

  /** Shows the modal stack of an answer. The events about it may arrive earlier or later. */
  showModals({ modals, seq }: { modals: Snapshot['modals']; seq: number }): void {
    const { snapshot } = this.state;
    if (snapshot !== null) this.#store.change({ snapshot: withModals(snapshot, modals, seq) });
  }

  /** Notifies the person in the current place if a delivery failed. */
  report(what: string, delivery: Delivery): void {
    const failure = deliveryFailure(what, delivery);
    if (failure !== null) this.notify(failure, 'error');
  }

  complain(what: string, error: unknown): void {
    this.notify(errorWords(what, error), 'error');
  }

  notify(text: string, tone: Notice['tone']): void {
    this.#noticeCount += 1;
    const channelId = placeChannel(this.state.place, this.state.snapshot)?.id ?? null;
    const notice = { id: this.#noticeCount, channelId, tone, text };
    this.#store.change({ notices: [...this.state.notices, notice].slice(-KEPT_NOTICES), announcement: text });
  }

  dismissNotice(noticeId: number): void {
    this.#store.change({ notices: this.state.notices.filter(({ id }) => id !== noticeId) });
  }

  async moveClock(to: Date): Promise<void> {
    this.#store.change({ isClockMoving: true });
    try {
      const nowMs = await askClock(to);
      const announcement = `The clock shows ${new Date(nowMs).toUTCString()}`;
      this.#store.change({ clockOffsetMs: nowMs - Date.now(), announcement });
    } catch (error) {
      this.complain('Moving the clock', error);
    } finally {
      this.#store.change({ isClockMoving: false });
    }
  }

  async #checkClock(): Promise<void> {
    try {
      const nowMs = await askClock();
      const offset = nowMs - Date.now();
      if (Math.abs(offset - this.state.clockOffsetMs) > 1_500) this.#store.change({ clockOffsetMs: offset });
    } catch {
      // The stream detects a lost sandbox first and reports it; the next answer corrects the clock.
    }
  }
}
