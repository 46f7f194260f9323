import type { Vocabulary } from './vocabulary.ts';

/** Words that ask for a change, and words that keep a question from being answered as read. */
export const CHANGE_VOCABULARY: Vocabulary = {
  raise: 'raise|increase|bump|bump up|lift|boost|extend|higher|lower|reduce|raising|double',
  grant:
    'give|grant|put|set|assign|hand|allow|give a limit of|set limit of|set limit|set limit to|limit to|cap at|ask for a limit',
  moreCredits:
    'more credits|more tokens|more quota|higher limit|bigger limit|a higher limit|a bigger limit|more allowance|k more credits|additional credits|extra credits|more budget for me',
  howTo:
    'how do i ask for|how do i ask|how do i request|how can i ask for|how can i request|how do i get|how can i get|how to get|how to ask for|how to request|where do i ask for|where can i ask for|how do i|how can i|where do i put it|where do i put|where can i',
  create: 'create|set up|setup|make|add|spin up|spin me up|spin|schedule a|can we get|provision|launch',
  recurring:
    'weekly summary|daily summary|daily digest|weekly digest|monthly digest|daily report|weekly report|morning digest|summary|weekly update|daily update|every monday|every morning|on mondays|every day|every week|each morning|each monday|mondays|weekly|daily',
  remove: 'delete|remove|drop|cancel|get rid of|kill|scrap|trash',
  edit: 'edit|change|update|modify|rename|move|adjust',
  pause: 'pause|halt|suspend|hold',
  resume: 'resume|run again|shall run again|unpause|restart|continue|reactivate|turn back on|start again',
  sendNow: 'send|send now|right away|immediately|now please|send right away|fire off|at once',
  watch:
    'post|ping|ping me|alert|alert me|notify me|tell us|let us know|warn us|dm|dm me|announce|whenever|shout|watch|keep an eye on|post every',
  warnMe:
    'warn me|warn|ping me when|remind me when|get a ping|heads up|heads-up|warn us at|warn us|tell me when|alert me when|notify me when|alert me at|ping me at|warn me when|warn me at|warn me before|tell me before|let me know when',
  stop: 'stop|turn off|switch off|turn off all|mute|silence|stop these|no more|disable|unsubscribe|for all sessions|shut up',
  quiet:
    'no agent pings between|quiet hours|quiet|do not disturb|dnd|overnight|at night|no pings between|no agent pings|dont ping me|dont ping me between|no notifications between',
  erase:
    'erase|erase everything about|forget|wipe|purge|delete everything about|delete data of|erase data of|hes gone|shes gone|theyre gone|left company|has left|gdpr',
  importList:
    'import|import list|upload|bulk|list of limits|list of the limits|limits hr sent me|300 lines|csv of limits|just do it|hr sent me|hr|ive got a list of limits|from before we had you|before we had you|before you came',
  retry: 'retry|reinstall|install again|try again|its install failed|rerun',
  decide: 'approve|approve every|reject|deny|decline|ok it|sign off|accept',
  undo: 'undo|revert|roll back|rollback|undo it',
  neg: 'not|never|without|except|excluding|exclude|but|besides|dont|doesnt|didnt|isnt|wasnt|arent|werent|havent|hasnt|hadnt|wont|cant|cannot|couldnt|other than|apart from|minus|unlike|nobody|no one|noone|nothing|instead of|instead|rather than|w/o|w/out|ignoring|aside from|leaving out|outside|neither|nor|unless',
  or: 'or',
  vs: 'vs|versus|against|compare|compared to|compared with|compare to|compare with|comparing|comparison|in comparison to|in comparison with|compare between|relative to|next to each other',
  than: 'than|more than|less than|more in|less in',
  more2:
    'more|extra|spend more|use more|did spend more|eating more|bigger month|was bigger month|which was bigger month|bigger|larger',
  now: 'right now|rn|at moment|now|right this minute|this minute|this second|at present|presently|live|as of now|atm|real time|currently running',
  loose:
    'these days|nowadays|lately|recently|of late|recent|in general|generally|usually|normally|the usual week|usual week|typically',
};
