import { isTimeZone } from '../../base/time/calendar.ts';
import type { Option } from '../../slack/blocks/inputs.ts';
import { wordsIn } from '../../base/text/word-list.ts';

/** Zones in which people work; others come from the person’s Slack. A menu holds at most 100. */
const COMMON_ZONES = wordsIn(
  'UTC Pacific/Honolulu America/Anchorage America/Los_Angeles America/Vancouver America/Denver America/Phoenix',
  'America/Chicago America/Mexico_City America/New_York America/Toronto America/Bogota America/Lima America/Halifax',
  'America/Santiago America/Sao_Paulo America/Argentina/Buenos_Aires America/St_Johns Atlantic/Reykjavik',
  'Europe/London Europe/Dublin Europe/Lisbon Africa/Lagos Europe/Amsterdam Europe/Berlin Europe/Brussels',
  'Europe/Copenhagen Europe/Madrid Europe/Oslo Europe/Paris Europe/Prague Europe/Rome Europe/Stockholm',
  'Europe/Vienna Europe/Warsaw Europe/Zurich Africa/Cairo Africa/Johannesburg Europe/Athens Europe/Bucharest',
  'Europe/Helsinki Europe/Kyiv Europe/Istanbul Africa/Nairobi Asia/Jerusalem Asia/Riyadh Asia/Tehran Asia/Dubai',
  'Asia/Tbilisi Asia/Karachi Asia/Kolkata Asia/Kathmandu Asia/Dhaka Asia/Bangkok Asia/Ho_Chi_Minh Asia/Jakarta',
  'Asia/Hong_Kong Asia/Kuala_Lumpur Asia/Manila Asia/Shanghai Asia/Singapore Asia/Taipei Australia/Perth Asia/Seoul',
  'Asia/Tokyo Australia/Adelaide Australia/Brisbane Australia/Melbourne Australia/Sydney Australia/Lord_Howe',
  'Pacific/Auckland',
);

export function zoneOptions(own: string, chosen = 'UTC'): Option[] {
  const zones = [...new Set([...[own, chosen].filter((zone) => isTimeZone(zone)), ...COMMON_ZONES])];
  return zones.map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') }));
}
