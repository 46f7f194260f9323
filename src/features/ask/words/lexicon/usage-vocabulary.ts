import type { Vocabulary } from './vocabulary.ts';

/** Words about credits and who used them. */
export const USAGE_VOCABULARY: Vocabulary = {
  use: 'use|used|using|usage|uses|utilisation|utilization|spend|spent|spending|spends|spendings|burn|burned|burnt|burning|burns|burn rate|consume|consumed|consuming|consumes|consumption|credit|credits|token|tokens|cost|costs|costed|costing|bill|expense|expenses|numbers|figures|eat|eats|eaten|eating|eat up|go through|went through|gone through|going through|gobbled|gobbled up|racked up|run up|chew|chewed|chewed through|blow through|blew through|blown through|get through|got through|used up|use up|using up|account for|accounted for|drained|drain|drains|standard credits|billable tokens|charge|charged|credit usage|token usage|credit consumption|credit use|token use|usage numbers|usage figures|usage data|footprint|wasted|wasting|waste|ate|takes|took',
  total: 'total|totals|in total|sum|overall|altogether|combined|all up|grand total|all in all|all told|together',
  howMuch: 'how much|how many credits|how many tokens|how much credit|whats amount|doing|how heavy',
  howMany: 'how many|count|number of|count of|nr of|no of',
  most: 'most|top|biggest|highest|largest|leading|heaviest|mostly|main|mainly|favourite|favorite|most of|most used|number one|top five|top ten|top 3|top 5|top 10|top 20|maximum|rank|ranked|ranking|leaderboard|sorted|sorted by credits|more than anyone|lean on|leaning on|rely on|hog|hogging|hogs|power|heavy|bigger|popular',
  least: 'least|lowest|smallest|fewest|bottom|lightest|minimum|less|fewer|cheapest',
  each: 'each|per person|by person|per user|by user|per head|each person|every person|every user|everybodys|everyones|person by person|per person and day|by person and day|one row per person and day|row per person and day|per people|by people|per employee|per member|by member|by name|with names|names please|names pls|names|individual|individuals|individually|for each person|each user|who what|per capita',
  eachTeam:
    'per team|by team|each team|every team|all teams|team by team|which team|which teams|what team|what teams|teams|across teams|between teams|among teams|team ranking|team overview|by group|per group|by squad|per squad|by department|per department|teams side by side|which squad|which group|which groups|no team|in no team|side by side|team usage|team figures|team numbers',
  members: 'members|how many members',
  person:
    'people|person|ppl|folks|users|user|employees|employee|colleagues|humans|individual person|persons|spender|spenders|consumer|consumers|devs|developers|engineers|staff|anyone|anybody|someone|somebody|coworkers|guy|guys in',
  who: 'who|whos|whose|whom|whove|who all',
  why: 'why|why so|reason|reasons|what drove|drove|driver|drivers|what caused|caused|causes|cause|what made|explain|explanation|due to|how come|what is behind|whats behind|behind|what pushed|pushed|responsible for|what explains|explains|contributed to',
  moved:
    'moved|moved most|what moved|biggest changes|biggest change|biggest movers|movers|jumped|jump|jumps|spike|spiked|spikes|increase|increased|increases|rise|rose|risen|rising|grew|grow|growing|grown|growth|drop|dropped|drops|decrease|decreased|fell|fall|fallen|down|went up|went down|go up|go down|gone up|gone down|going up|going down|goes up|shot up|climbed|climb|decline|declined|surge|surged|double|doubled|tripled|halved|so expensive|so cheap|so high|so low|expensive|cheap|high|low|changes in usage|changed most|swing|swings|skyrocketed|explode|exploded|higher|lower|up so much|so much|change in usage',
  unusual:
    'unusual|anything unusual|anything odd|odd|weird|strange|abnormal|anomaly|anomalies|outlier|outliers|out of ordinary|suspicious|unusual days|unusual day|odd days|normal for|is it normal|usual range|inside usual range|usual|off|normal|in normal range|within usual range|number weird|surprising|stands out|stand out|surprises|noteworthy|remarkable',
  others:
    'everybody else|everyone else|compare to everybody else|compare to others|compared to others|compared to everybody else|compared to everyone else|compared with others|than most|than most people|than what most|most colleagues|what most colleagues do|than what most colleagues do|than others|than other people|average|the average|median|average person|average user|than average|than median|heavy user|a heavy user|rest of company|rest of org|rest of us|other people|others|my peers|peers|my colleagues|am i normal|normal compared|typical user|typical',
  inactive:
    'inactive|idle|inactivity|no activity|zero activity|any activity|without activity|without any activity|w/o any activity|w/o activity|no usage|zero usage|zero use|without usage|without any usage|no use|no credits|zero credits|hasnt touched|hasnt touched it|havent touched|hasnt used|havent used|has not used|have not used|didnt use|did not use|not used|not using|isnt using|isnt using it|arent using|arent using it|doesnt use|dont use|never used|never used it|never opened|never opened it|never touched|never logged in|not been using|hasnt been using|havent been using|not active|wasnt active|werent active|isnt active|arent active|did nothing|doing nothing|done nothing|unused seats|not touched|no activity at all|used nothing|used it zero times|hasnt been active|havent been active|not started|hasnt started|havent started|no single credit|hasnt logged in|havent logged in',
  seats: 'we pay for those seats|seats|licences|licenses|seat|pay for',
  forecast:
    'forecast|forecasted|projection|projected|predict|predicted|prediction|estimate|estimated|expected|expect|on track|on course|where will we land|land|will we land|will end|where are we heading|heading|on pace|trajectory|at end of month|end of month|by month end|at month end|month end|until month end|for end of month',
  forecastBasis:
    'how sure are you about|how sure|sure|based on|what is it based on|basis of|basis|accurate|how accurate|reliable|confidence|confident',
  will: 'will|going to|gonna|ill|well be|be going to|about to|shall be',
  runOut:
    'run out|running out|runs out|ran out|run dry|run out of credits|run out of tokens|hit my limit|hit limit|hit my cap|reach my limit|reach limit|reach my cap|hit ceiling|last until|last till|survive|survive until|survive till|make it|make it to|make it through|enough|be enough|exhaust|exhausted|out of credits|out of tokens|at this rate|at this pace|at my current pace|at current pace|at my pace|at current rate|at my current rate|pace|hit wall',
  deadline:
    'until end|till end|until 30th|until 31st|till 30th|30th|31st|end of quarter|end of year|till end of quarter|until end of quarter|till end of month|until end of month|rest of month|for rest of month|end of week|month end w/',
  left: 'left|remaining|remain|remains|leftover|left over|still have|have left|headroom|to go|available|balance|still got|spare|gone|used up of',
  over: 'over|above|beyond|exceed|exceeded|exceeding|exceeds|past my|within|under|below|close to|near|nearly|how far over|how close|how far|blown|blow|blow up|blew|blew up|bust|over it|closest to|closest|closest to blowing|blowing|close',
  share:
    'share|share of|what share|what share of|percentage|percentage of|percent|fraction|how much of|what part|part of|portion|proportion',
  more: 'more than month before|every table|every table you have got|all tables|in detail|detailed|all details|full details|more detail|more details|with details|everything you have|every detail|long version|in full|full report|drill down',
  csv: 'csv|as csv|as a csv|in a csv|spreadsheet|as a spreadsheet|excel|xlsx|as a file|a file|file|export|download|as an export|in excel|csv file|dump|as file|sheet|csv export|exported|tsv',
  before:
    'more than month before|than month before|than week before|vs week before|vs month before|versus week before|versus month before|compared to week before|compared to month before|compared with week before|compared with month before|week before|month before|was it more than month before|and was it more than month before|compared to previous one|compared to one before|day before|against week before|than before|compared to before|vs period before|quarter before|vs quarter before|than quarter before',
  model:
    'model|models|llm|llms|model wise|by model|per model|which model|which models|big model|which of models|model mix|model usage|model breakdown',
  tool: 'tool|tools|tool calls|tool call|tool use|tool usage|calls|mcp|mcps|mcp server|mcp servers|mcp usage|mcp calls|mcp server calls|servers|server|by server|per server|slash commands|slash command|commands used|skills|skill|by tool|per tool|plugins',
  activity:
    'active|activity|actives|daily actives|weekly actives|monthly actives|dau|wau|mau|daus|waus|active users|active people|daily active users|weekly active users|monthly active users|how active|adoption|engagement|active person|adopted',
  client: 'cli|terminal|clients|client|web app|desktop app|desktop|ide|command line|surfaces',
  pr: 'pr|prs|pull request|pull requests|merged|merge|merges|commits|commit|productivity|productive|lines of code|loc|shipped|ship|opened|open|created|code shipped|mrs|merge requests|productivity figures|agent prs|output',
};
