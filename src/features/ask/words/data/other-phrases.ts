/** Phrases of all commands except `/usage`; the format is that of `USAGE_PHRASES`. */
export const OTHER_PHRASES = `
/limits {-person?} {-day?}
/limits show {id} {-more?}
  requests waiting for me
  request waiting4me
  request of {person}
  did {person} get a raise
  was the request of {person} approved
  is {person} waiting
  when was my request denied
  what about my request
  how long until my request is approved
  how is my request
  who has to approve my request
  my raise
  my open request
  did my raise go through
  did anybody approve my request
  has somebody decided my request
  request somewhere
  who approved it
  my request and how it ended
  who signed off my request
  why is my request still open
  limit requests
  open requests
  pending requests
  list requests
  which requests are pending
  what is waiting for approval
  what do i have to approve
  is anything pending
  is there anything to approve
  who is waiting for credits
  who asked for more
  who wants more
  who requested more credits
  who wants a higher limit
  requests for more
  latest requests
  my request
  my requests
  status of my request
  did my request go through
  was my request approved
  is my request approved
  is my raise approved
  status of my raise
  where is my request
  who approved my request
  who decided my request
  who denied my request
  why was my request denied
  what happened to my request
  request pending
  when will my request be approved
  did i get the credits i requested
  did i get more credits
  limit request history

/limits
  limits
  all limits
  what limits do we have
  who has a limit
  which limits are set
  which limits are there
  latest limits

/limits {span}
  my requests in {period}
  limit requests in {period}
  who asked for more in {period}
  how did requests of {period} end
  requests by person in {period}
  my limit requests in {period} and how did they end
  which requests were approved in {period}
  denied requests in {period}
  requests in {period}
  limit requests of {period}
  which requests came in {period}
  how many requests in {period}
  who requested more in {period}
  requests made in {period}

/limits me
  who changed my limit
  when did my limit change
  who gave me my limit
  who gave me my limit and when does it end
  when was my limit given
  my temporary limit
  when does my limit end
  is my limit temporary
  who set my limit and who approved it
  who approved my limit
  my limit
  what is my limit
  do i have a limit
  how high is my limit
  how big is my limit
  how much is my limit
  who set my limit
  when was my limit set
  what am i limited to
  how many credits am i allowed
  how much am i allowed to use
  my limit history
  limits set for me
  which limit do i have

/limits {person}
  who approved the limit of {person}
  when does the limit of {person} end
  limit of {person}
  what is the limit of {person}
  does {person} have a limit
  which limit does {person} have
  how high is the limit of {person}
  how much is {person} allowed to use
  who set the limit of {person}
  limit history of {person}

/limits show {id} {-more?}
/limits {-id}
  approve request {id}
  decide request {id}

/limits show {id} {-more?}
  request {id}
  history of request {id}
  every step of request {id}
  why was request {id} denied

/limits blocked
  i hit my limit
  i hit my limit and can not work
  i am blocked
  i ran out of credits
  i am out of credits

/limits request {person?} {amount?} {-unit?} {-more?}
  can i get more credits
  can my limit be raised
  can you raise my limit
  raise my limit
  raise my limit to {amount}
  raise limit of {person} to {amount}
  raise limit of {person}
  raise limit
  raise
  i need more credits
  request more credits
  i want a higher limit
  i need a limit
  request a limit
  new limit request
  create a limit request
  set my limit to {amount}
  set limit of {person} to {amount}
  set a limit for {person}
  give {person} a limit of {amount}
  give me {amount}
  give {person} {amount}
  set {person} {amount}
  limit {person} to {amount}
  lower my limit
  lower limit of {person} to {amount}
  reduce limit of {person}
  decrease limit
  change limit of {person}
  change my limit
  change my limit to {amount}
  more credits for {person}
  how do i request more credits
  how do i get more credits
  howto raise my limit
  howto request a limit
  howto change my limit
  who can raise my limit
  where do i request more
  i hit my limit raise it
  i am blocked raise

/limits withdraw {id?}
  withdraw request {id}
  withdraw my request
  cancel my request
  delete my request
  take back my request
  how do i withdraw my request

/limits import {-csv?}
  import limits
  import a list of limits
  set limits for many people
  bulk limits
  upload limits csv {csv}
  set limits from csv {csv}
  howto import limits

/limits declare
  declare limits
  declare before2
  tell you about limits before2
  limits before2
  enter limits before2
  import limits before2
  limits set before2

/limits approvers
  approvers
  who approves requests
  who approves limit requests
  set approvers
  change approvers
  who decides requests
  who decides limits
  edit approvers of requests
  who is asked to approve
  howto set the approvers
  order of approvers

/limits ending {-period?}
  limits that people hardly use
  which temporary limits run out soon
  which limits run out soon
  limits that run out
  which limits end soon
  which limits are ending
  limits ending
  temporary limits
  when do limits end
  who will lose a limit soon
  limits farabove
  which limits are farabove
  who has a limit that is farabove
  whose limit is farabove
  limits higher than use
  unused limits

/limits policies
  limit policies
  which raises does a limit policy grant
  status of limit policies
  did a limit policy approve requests
  rules for automatic approval

/limits team
  pool of my team
  credits left in the pool of our team
  what is left in the team pool
  who leads my team
  who decides about the limits of my team
  limits of my team

/limits teams
  pools of teams
  credit pools of all teams
  leads of teams
  how much of each pool is granted

/limits teams new
  give a team a pool of credits
  create a pool for a team
  set up a team pool
  let a lead decide about limits
  new team with a pool

/limits policies new
  create a limit policy
  create policy for limits
  new limit policy
  create a policy for raises
  create a rule for limits
  approve raises by policy
  create automatic approval

/limits policies stop
  stop all limit policies
  pause all limit policies
  stop automatic approval
  turn off limit policies
  stop all policies of limits

/limits simulate {group} {amount} per {unit}
/limits simulate {group} {amount}
  how bad would a limit of {amount} be for {group}
  names of people in {group} that would hit {amount}
  who in {group} would hit {amount}
  would {amount} hurt {group}
  would anybody in {group} run out at {amount}
  who would stop at {amount} per {unit} in {group}
  what if we set a limit of {amount} for {group} per {unit}
  whatif {group} limit {amount} {unit}
  how many people would a limit of {amount} for {group} stop
  would a limit of {amount} stop {group}
  would {amount} be enough for {group}
  how many of {group} would hit a limit of {amount}
  who of {group} would run out with a limit of {amount}
  simulate limit of {amount} for {group}
  how many people in {group} would be over {amount}
  limit {group} {amount} who would stop

/limits audit csv {period?} {-csv?}
  audit of each request and each step
  each step of each request audit
  audit limits
  audit of limits
  audit of all requests
  audit csv
  limits audit as csv
  history of all limits csv {csv}
  history of all requests csv {csv}
  requests csv {csv}
  all limit requests csv {csv}
  all limits csv {csv}
  all limits that we set csv {csv}
  everything that happened with requests audit

/budget {-group?} {-percent?} {-channel?} {-period:this}
/budget show {id} {-percent?} {-channel?} {-more?}
  budget
  how is the budget
  status of the budget
  how much of the budget is left
  how much of the budget is used
  how much of the budget have we used
  how much budget is left
  how much budget do we have left
  share of the budget
  are we within budget
  are we over budget
  are we close to the budget
  will we stay in budget
  will we go over budget
  will the budget last
  will the budget be enough
  will the budget last until the end of the month
  will the budget last until the end of the quarter
  will the budget run out
  when will the budget run out
  when is the budget used up
  forecast of the budget
  is the budget on track
  are we on track with the budget
  which budget is in trouble
  which budget is close to its limit
  which budget runs out first
  which budget is worst
  which budget has least left
  most urgent budget
  budget of each team
  budget warnings
  did the budget send a warning
  why did the budget send a warning
  which warnings did the budget send to the channel
  did the budget warning fail
  how much of the budget is gone
  budget history
  usage against budget
  usage compared with budget

/budget {-period:this}
  will we run out of credits
  will we run out
  when do we run out
  do we have enough
  how much do we have left
  how many credits are left for us
  at this rate when do we run out
  are we going to run out

/budget new {-amount?} {-group?} {-unit?} {-percent?} {-person?} {-channel?} {-name?}
  create a budget
  create a budget for {group}
  set a budget
  set a budget of {amount}
  create budget of {amount} for {group} per {unit}
  new budget
  howto create a budget
  warn us when {group} reaches {percent} of {amount}
  warn the team before we run out
  warn us when usage reaches {amount}
  warn us when we have used {amount}

/budget edit {id} {-amount?} {-percent?} {-unit?}
  edit budget {id}
  change budget {id}
  change budget {id} to {amount}
  raise budget {id}
  set budget {id} to {amount}
  lower budget {id}

/budget delete {id}
  delete budget {id}
  remove budget {id}
  stop budget {id}

/digest {-id?} {-rhythm?} {-unit?} {-group?} {-channel?}
  when does the digest {unit} come
  when does the digest {rhythm} come
  where does the digest {unit} go
  digest {unit} of {group}
  budget digest
  where does the digest go and when
  channel of digest
  digest
  which digests do we have
  my digests
  which digests do i get
  when does the next digest come
  when is the next digest
  next digest
  when and where does the digest come
  where does the digest go next
  who gets the digest
  who set up the digest
  did the digest go out
  status of digest
  how did the latest digest go
  which digests are paused
  is the digest paused
  which digests will resume
  is the digest up

/digest new {unit?}ly {rhythm?} {time?} {group?} {channel?} {-person?} {-period?} {-more?} {-number?} {-hour?}
  a digest {rhythm} for me
  a digest {unit} for me
  create a digest
  new digest
  set up a digest for {group} in {channel}
  create a digest for me
  get me a digest
  send me a digest
  send a digest to {channel}
  post a digest in {channel}
  a digest {rhythm}
  a digest {unit}
  post our usage {rhythm}
  post our usage {unit}
  post usage in {channel}
  post usage here {rhythm}
  post a report of usage {unit}
  send usage to {channel}
  send my usage {unit}
  send me my usage {rhythm}
  report usage {unit}
  usage {unit} in {channel}
  create usage {unit}
  create usage in {channel}
  schedule usage for {channel}
  subscribe {channel} to digest
  howto create a digest
  howto get a digest

/digest why {-id?} {-period:14d} {span?} {-day?} {-channel?} {-rhythm?} {-unit?} {-group?}
  digest went wrong
  is the digest ok
  why did the digest fail
  why did no digest come
  why was the digest not sent
  digest failed
  no digest
  did a digest fail
  which digests failed
  what is wrong with the digest
  why is the digest late
  why is the digest empty
  why is part of the digest missing
  why did the digest come so late
  why is the digest paused
  digest not
  i did not get a digest
  we did not get the digest
  why did i not get the digest
  why does the digest not work
  history of digests

/digest preview {id} {-channel?}
  how will digest {id} look with names in the channel
  what would digest {id} show to the channel
  what would the channel of digest {id} see
  preview digest {id}
  preview of digest {id}
  what would digest {id} look like
  how will digest {id} look
  test digest {id}
  what will digest {id} show

/digest now {id}
  send digest {id} now
  send digest {id}
  run digest {id} now

/digest pause {id} {-period?}
  pause digest {id}
  stop digest {id}
  hold digest {id}
  no digest {id}

/digest pause until {period}
  pause my digest until {period}
  pause the digest until {period}
  stop my digest until {period}
  no digest until {period}

/digest pause
  pause my digest
  stop my digest

/digest resume {id}
  resume digest {id}
  start digest {id}
  turn digest {id} on

/digest edit {id} {-channel?} {-rhythm?} {-unit?} {-period?}
  edit digest {id}
  change digest {id}
  change time of digest {id}
  change channel of digest {id}
  move digest {id} to {channel}
  digest {id} at different time
  add section to digest {id}

/digest delete {id}
  delete digest {id}
  remove digest {id}

/controls {-strength?}
/controls {period} {-strength?}
  controls
  latest controls
  latest change of controls
  what changed in the controls
  what changed
  what changed latest
  latest revision
  latest rev
  revisions
  who changed the controls
  who changed the controls latest
  who made the latest revision
  who made a change
  did anybody change the controls
  why were the controls changed
  how many changes of controls
  what got weaker {strength}
  did the controls get weaker {strength}
  {strength} controls
  changes that make the controls {strength}
  which change is {strength}
  what weakened security
  did a change weaken security
  change that weakened controls
  who weakened the controls
  is security worse

/controls history
  history of controls
  all revisions history
  all changes of controls over all of history

/controls history {number}
  latest {number} revisions
  latest {number} changes of controls
  {number} latest revisions

/controls history {number?} by {person} {period?}
  what did {person} change in controls
  changes of controls by {person}
  revisions by {person}
  which controls did {person} change
  did {person} change the controls
  what did {person} change
  {person} changed controls
  latest changes of {person} in controls

/controls history setting {setting} {-period?}
  when was {setting} changed
  who changed {setting}
  when was {setting} changed latest
  history of {setting}
  changes of {setting}
  did anybody change {setting}
  who turned off {setting}
  what changed in {setting}
  why was {setting} changed
  {setting}
  {setting} controls
  is {setting} set
  revisions of {setting}

/controls show {number}
  show revision {number}
  revision {number}
  controls at revision {number}
  what is in revision {number}
  what did revision {number} change
  how were the controls at revision {number}
  what was changed in revision {number}

/controls diff {number} {number}
  difference between revision {number} and {number}
  diff {number} {number}
  diff of revision {number} to {number}
  compare revision {number} with {number}
  revision {number} vs {number}
  revision {number} {number}
  what changed between revision {number} and {number}
  what changed from revision {number} to revision {number}

/controls watch {channel?} {strength?}
  watch the controls
  watch controls in {channel}
  post controls changes in {channel}
  post every change of controls in {channel}
  post {strength} changes of controls in {channel}
  {strength} changes of controls to {channel}
  watch when controls change
  tell {channel} when controls change
  watch when controls get {strength}
  warn us when controls change
  warn me when security gets {strength}
  send controls changes to {channel}
  create warning for controls changes in {channel}
  watch revisions

/controls watch {channel?} only {setting}
  watch {setting} in {channel}
  post changes of {setting} in {channel}
  tell {channel} when {setting} changes
  watch when {setting} changes
  warn us when {setting} changes

/controls unwatch {channel?}
  stop posting controls changes
  stop watching the controls
  stop controls notices in {channel}
  stop controls warnings
  stop controls

/readiness {csv?}
/readiness {repository} {-more?}
  readiness
  repositories
  which repository is ready
  how ready are our repositories
  how ready are we
  readiness of all repositories
  readiness of each repository
  which repository is worse
  which repository is least ready
  which repository got worse latest
  which repository needs a fix
  which repository is not ready
  why is the repository not ready
  what repositories fail
  why did the repository fail
  why did readiness drop
  why is readiness worse
  why did the score change
  which repositories improved
  did a score drop
  did the score go up
  did readiness get worse
  how many repositories are ready
  readiness changes
  history of readiness
  readiness over time
  what to fix
  what to fix first
  fix most
  howto make it ready
  howto fix it
  easiest fixes
  what has failed since when
  status of readiness
  which repositories are best
  who made the repository worse
  most ready repository

/readiness {repository} {-more?}
  {repository}
  is {repository} ready
  how is {repository}
  what is wrong with {repository}
  why {repository}
  history of {repository}
  change of {repository}
  fix {repository}
  howto {repository}

/readiness filter {filter} {csv?}
  repositories with {filter} in name
  readiness of {filter} repositories
  {filter} repositories
  which {filter} repositories are ready
  how ready are the {filter} repositories
  list repositories named {filter}
  scores of {filter} repositories
  readiness filter {filter}
  which {filter} repositories are worse

/readiness watch {channel?} {repository?}
  watch {repository} in {channel}
  watch {repository}
  watch readiness in {channel}
  post when {repository} gets worse
  post in {channel} when {repository} gets worse
  post when readiness drops
  tell {channel} when score drops
  watch when repository gets worse
  warn us when {repository} gets worse
  watch when {repository} drops
  watch when readiness gets worse
  post readiness in {channel}

/readiness unwatch {channel?}
  stop watching readiness
  stop readiness posts in {channel}
  stop readiness warnings
  stop watching {repository}

/computers
/computers show {name} {-more?}
  is the computer down
  which computers are down
  is a computer offline
  are computers ok
  computer
  which computers are up
  is the computer up
  which computers failed
  why did the computer fail
  what is wrong with the computer
  why is the computer not up
  status of the computer
  state of the computer
  history of the computer
  which computers are ready
  is my computer ready
  is my computer up
  my computer
  did my computer fail
  who uses computers
  who created the computer
  how many computers do we have
  how many computers failed
  how is the computer
  is the computer pending
  which computers are waiting4me
  latest computer

/computers filter {filter}
  computers with {filter} in name
  {filter} computers
  list {filter} computers
  computers named {filter}
  which {filter} computers are up

/computers show {name} {-more?}
  {name}
  is {name} up
  is {name} ready
  is {name} finished
  status of {name}
  why did {name} fail
  is {name} waiting for me
  is {name} stuck
  who created {name}
  is my agent on {name} up

/computers create {repository?}
  create a computer
  create a computer for {repository}
  i want a computer
  i need a computer
  i need a computer for {repository}
  request a computer
  request a new computer for {repository}
  get me a computer
  new computer
  howto create a computer
  howto get a computer

/computers retry {name}
  retry {name}
  retry computer {name}
  {name} failed retry
  retry install of {name}

/session mine
  my agent
  how is my agent
  is my agent running
  is my agent finished
  is my agent waiting4me
  is my agent stuck
  what is my agent doing
  did my agent finish
  did my agent fail
  did my agent start
  does my agent need me
  which of my agents wait for me
  who is waiting4me
  session waiting4me
  sessions of mine
  status of my agent
  my latest sessions
  why is my agent stuck

/session
  all sessions
  sessions
  list sessions
  latest sessions
  which sessions were there
  which sessions are running
  sessions you have seen
  sessions of everyone

/session notify
  notify me when my agent is finished
  notification when my agent is finished
  watch my agent
  watch when my agent waiting4me
  warn me when my agent is finished
  warn me when my agent waiting4me
  watch session
  notification of my agent
  set up notifications
  create notifications
  turn on notifications
  howto notification
  howto get notifications from my agent
  i want notifications
  howto hooked up my agent

/session notify status
  is my notification token up
  did my notification token fail
  do notifications still work
  status of notifications
  are my notifications up
  are my notifications hooked
  are notifications working
  is my agent hooked
  do my notifications work
  why do i get no notifications
  why did i not get a notification
  notifications not
  notifications failed
  no notifications
  notifications broken
  are my notifications on
  is notification set

/session notify test
  test notifications
  send a test notification
  test my notifications
  try notifications

/session notify off
  stop notifications
  stop my notifications
  stop notifications of my agent
  stop my agent
  turn off notifications
  stop session
  remove notifications
  stop notifications of all sessions
  no more messages about my agent
  stop messages about my agent

/session notify quiet {hours}
  quiet {hours}
  quiet between {hours}
  quiet hours {hours}
  stop notifications between {hours}
  no notifications {hours}
  quiet notifications {hours}
  set quiet hours {hours}

/session notify quiet off
  stop quiet hours
  remove quiet hours
  turn off quiet hours
  no quiet hours

/quartermaster
  what can i use
  what can i use you for
  which commands can i use
  what can we use
  can i use this
  is everything ok
  are you ok
  is slack down
  are you down
  is the platform ok
  setting of role
  ask for more access
  who do i ask for more access
  through which setting is {person} a manager
  are all systems ok
  help
  what can you do
  commands
  which commands are there
  which commands can i use
  what am i allowed to do
  my role
  what is my role
  am i a manager
  am i an admin
  am i a manager or an admin
  why am i not a manager
  why am i a manager
  which setting makes me a manager
  do i have access
  what is my access
  who is the admin
  who are the admins
  who is admin here
  who are the managers
  who do i ask for access
  who gives me access
  howto become a manager
  howto get access
  version
  which version are you
  is everything up
  is everything healthy
  are you up
  are you working
  are all systems up
  is the system up
  is the bot up
  is the database up
  is slack up
  can you reach the platform
  is the platform up
  is the platform down
  do you reach slack
  health check
  health
  system status
  status
  is anything broken

/quartermaster here {-rhythm?}
  why do i keep getting messages
  where do these messages come from
  stop the messages here
  {rhythm} messages here
  why do i get messages {rhythm}
  what do you post here
  what comes here
  which messages come here
  what is posted here
  what gets sent here
  why do i get messages here
  why do you post here
  why do i get these messages here
  stop posting here
  stop messages here
  pause everything here
  turn off everything here
  what is set up here
  which digests come here
  which warnings come here
  who set up messages here
  what messages do i get
  which messages do i get
  why do i get this message

/quartermaster jobs
  did all jobs succeed
  when does the next job start
  start of jobs
  jobs
  list jobs
  when do the jobs run
  when is the next job
  which jobs failed
  did a job fail
  did the jobs run
  are the jobs up
  status of jobs
  job status
  when did the job run latest

/quartermaster token
  token
  my token
  get a token
  create a token
  i need a token
  i want a token
  howto get a token
  token for my client
  new token
  is my token up

/quartermaster token off
  remove my token
  stop my token
  turn off my token
  revoke my token
  delete token

/quartermaster tokens
  who has a token
  list who has a token
  all personal tokens of people
  which people have a token
  revoke token of person

/quartermaster left {person}
  {person} left
  {person} leaves
  {person} is gone
  what belongs to {person}
  what is left of {person}
  {person} quit, what was theirs

/quartermaster details
  details of quartermaster
  what does the platform show
  how long is data kept
  when is data deleted

/quartermaster erase {-person?}
  erase {person}
  erase everything about {person}
  erase me
  erase my data
  erase data of {person}
  what is stored about {person}
  what is stored about me
  what data is stored
  stored data of {person}
  which data do you keep about me
  {person} left erase
  delete my data

`;
