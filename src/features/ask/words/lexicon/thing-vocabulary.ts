import type { Vocabulary } from './vocabulary.ts';

/** Limits, budgets, digests, controls, repositories, computers, sessions and Quartermaster itself. */
export const THING_VOCABULARY: Vocabulary = {
  limit:
    'limit|limits|cap|caps|quota|quotas|allowance|credit limit|credit limits|ceiling|capped|spending limit|spend limit|temporary limit|temporary limits',
  request:
    'request|requests|limit request|limit requests|credit request|credit requests|requested|request no|request number|requests that came in|requests filed|filed|i filed|asked for more credits|asked for more quota|asked for more|asked for credits|ask for more credits|asked on|i asked on|i asked for|asking for more|open request|open requests|my request|my requests|application|limit requests filed',
  pending:
    'waiting|pending|waiting for my ok|waiting for my approval|waiting on me|for my approval|my approval|for my ok|need my approval|needs my approval|to approve|outstanding|to be decided|on my desk|awaiting|in my queue|queue',
  status:
    'status|status of|state|get approved|approved|denied|deny|declined|rejected|accepted|was approved|been approved|got approved|approval|said no|who said no|signed off|signed it off|who signed it off|signed|approver|who set|set|decided|decision|any news on|progress|progress on|answered|outcome|result|turned down|granted',
  history:
    'history|history of|its history|with its history|story|timeline|over time|trail|log|steps|incl|including|progression',
  ending:
    'ending|end|ends|expire|expires|expiring|expiry|run out soon|end soon|going to end|soon|temporary|running out soon|about to end|in next two weeks|in next 2 weeks|in next days|in next few days|in next 14 days|lapse|lapsing',
  farAbove:
    'way over|way above|far above|far over|well above|way over what folks really use|way over what people really use|way too high|far above use|way over what people use|higher than what people use|oversized|too generous|what folks really use',
  audit:
    'audit|audit trail|limits audit|paper trail|full paper trail|auditors|for auditors|every step|every step of|auditable|full trail|for audit',
  would:
    'would|wouldve|would have|if wed|if we had|what if|simulate|simulated|simulation|if we|suppose|hypothetically|stopped|have stopped|hit|have hit|affected|been stopped|blocked|have done|done to|hurt|caught|would hit|have affected|been affected|have caught|would be',
  per: 'per week|per month|per quarter|a week|a month|a quarter|weekly|monthly|quarterly|each month|each week|each quarter|every month|every week|every quarter',
  budget: 'budget|budgets|budgte|budjet|budgeted|budgeting|budget no|budget number',
  warning:
    'warning|warnings|alert|alerts|fifty percent warning|send|sent|did send|withheld|withold|withhold|withhold any|hold back|held back|its channel|channel',
  urgent: 'trouble|in most trouble|in trouble|urgent|most urgent|critical|worst|at risk|in danger|tight',
  digest: 'digest|digests|digest no',
  problem:
    'problem|problems|issue|issues|broken|broke|breaks|down|failed|fail|fails|failing|failure|failures|missing|gone missing|never showed up|didnt show up|not there|its not there|hasnt come|hasnt arrived|didnt come|didnt arrive|did not come|did not arrive|never arrived|never came|wasnt sent|not sent|havent got|not arrived|late|what gives|went wrong|go wrong|whats wrong|wrong|left out|was left out|how come|stuck|paused|is it paused or broken|paused or broken|shouldve been|should have been|crashed|error|errors|not working|not work|trouble with|dead|hanging|hung|install failed|broken rn|empty|incomplete|no show',
  schedule:
    'next|come next|next come|schedule|scheduled|due|when is it due|next one|next run|in what channel|what channel|which channel|where to|where does|latest ones|how did go|run',
  preview:
    'preview|preview of|would look|would look like|look like right now|as itd look|as it would look|itd look|would see|with names its channel sees|its channel sees|went out|if it went out|went out right now|like right now|channel would see',
  controls:
    'controls|control|enterprise controls|control changes|settings|setting|our settings|security settings|policy|policies|enterprise settings|controls changes|configuration|config',
  rev: 'rev|revs|revision|revisions|controls revision|controls revisions|controls rev|version of controls|controls revs',
  changed:
    'change|changes|changed|changing|edit|edits|edited|touched|touch|modified|altered|alter|last changed|fiddled|fiddled with|fiddle with|messed with|messed|switched|turned|turn|turned off|switched off|turned on|switched on|disabled|enabled|disable|enable|updated|update|updates|last changes|off|flipped|tweaked|removed|added|relaxed|adjusted|set to|everything that changed|differ|different',
  weaker: 'weaker|weakened|got weaker|get weaker|weaken|weakening|loosened|less secure|less strict|weakens|lax',
  json: 'json|as json|json file',
  diff: 'diff|difference|differences|compare revisions|delta',
  latest: 'latest|newest|last|most recent|recent|last ones',
  repo: 'repo|repos|repository|repositories|readiness|repo scores|repo score|readiness score|readiness scores|readiness report|readiness reports|codebase|codebases|readiness overview|agent readiness|redyness',
  ready: 'ready|ready for agents|agent-ready|agent ready|more agent-ready|prepared|least ready|readier|unready',
  score:
    'score|scores|score of|fix|fixes|easiest fix|easiest fixes|easiest|improve|improvement|got worse|worse|worst|better|best|getting worse|getting better|since when|criteria|checks|failing on|on what|been going up|improved|improving|weakest',
  nameFilter: 'in name|in its name|in their name|with in name|named|called|matching|containing|contains|with name',
  computer:
    'computer|computers|computres|machine|machines|box|boxes|runner|runners|workstation|workstations|computer installs|installs|build machine|hosts',
  condition:
    'up|online|running|doing|all details|details|details of|available|healthy|status of|ok|okay|back|waiting for it|my jobs just sitting there waiting for it|how is|alive|reachable|responding|working|fine',
  session: 'session|sessions|agent sessions|my agent|my agents|agent session|which of my agents',
  agent: 'agent|agents|agentic|coding agent|ai',
  sessionState:
    'running|finish|finished|done|blocked|waiting|blocked waiting on me|is blocked|lost track of|stuck|started it|started it friday night|started|still going|waiting for me|idle sessions|complete|completed|still running',
  notify:
    'notification|notifications|agent notifications|agent notification|notify|notify token|agent pings|agent ping|ping|pings|had a ping|pinged|havent had a ping|havent got any|havent got one|no pings|push|hooks',
  working:
    'working|work|hooked up|set up|actually hooked up|stop working|stopped working|arrive|arriving|connected|live|token|configured|still on|enabled for me|switched on',
  status2:
    'healthy|health|is everything healthy|everything healthy|everything ok|everything okay|all good|jobs store slack platform|can you reach|reach|reachable|store|slack|database|connection|uptime|systems|system',
  platformService:
    'reach platform|platform reachable|platform up|platform ok|is platform up|platform down|can you reach platform',
  job: 'job|jobs|nightly jobs|scheduled jobs|cron|cron jobs|next job|background jobs',
  help: 'help|commands|what commands|what can i ask|what can i even ask you|what can i ask you|what can you do|what do you do|who are you|what are you|examples|instructions|manual|what else can you do|what else|how does this work|how do i use you|options|capabilities|allowed to use|am i allowed to use|what can you tell me|what can i do here|what can i do|usage help|even ask you|menu',
  version: 'version|what version|release|which version|version are you on|build number',
  role: 'role|my role|manager here|am i a manager|am i an admin|a manager|a manager here|an admin|admin|admins|manager|managers|rights|more rights|permissions|permission|normal person|just a normal person|or just a normal person|through which setting|access|allowed|authorized|privileges|owner',
  here: 'into this channel|in this channel|to this channel|this channel|into this dm|in this dm|to this dm|this dm|send me here|post here|send here|by yourself|all by yourself|messages from you|messages from u|every morning|keep getting|getting messages|automatically|on its own|by itself|where are they coming from|do you post|what do you post|you send me|do you send me|keep getting messages from u|keep getting messages from you|getting from you|post into this channel|send to this channel|dm',
  stored:
    'stored|have stored|know about|keep about|have on|store about|saved|stored about|keep on|save about|hold about|hold on|what do you have stored about|do you have stored',
};
