/** Becomes a person, opens a channel or `dm`, and then runs a command or lets the next morning come. */
export interface TourStep {
  title: string;
  text: string;
  as: string;
  channel: string;
  command?: { command: string; text: string };
  isNextMorning?: boolean;
}
