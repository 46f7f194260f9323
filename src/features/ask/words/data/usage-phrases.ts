/**
 * What people type, one phrase a line, below the command line that it means. `{period}` has to be named, `{period?}` may
 * be; `{-period}` may be named and is not written. `{period}` in a phrase stands for any period.
 */
export const USAGE_PHRASES = `
/usage {period?} {who?} {csv?} {more?} {-rhythm?}
  put usage in csv
  put my usage in csv
  unusual day in {period}
  is {period} unusual
  was {period} an unusual day
  what was my {period} like
  how did {period} go
  how was {period}
  more usage of {who}
  usage down
  is usage down
  why is usage of {who} down
  why did usage of {who} go up
  all the figures we have
  usage per day
  usage since we started
  and {period}
  what about {who}
  what about {period}
  usage
  how much did we use
  how much did i use
  how much has been used
  how many credits have we used
  my usage
  our usage
  what did we spend
  what have i used
  usage of {who}
  how much did {who} use
  how much is {who} spending
  what did {who} cost us
  what does {who} use
  {who} {period}
  me {period}
  credits in {period}
  {period} usage
  is {who} using it
  does {who} use it a lot
  how active is {who}
  how active am i
  anything unusual
  anything unusual in {period}
  was there anything unusual
  is my usage unusual
  was anything unusual with {who}
  unusual days
  how much more did we use than before
  usage compared to the week before
  did we use more than before
  did i use more than before
  is our usage higher than before
  vs the week before
  how much did my usage change
  did my usage go up
  how much has my usage grown
  why is my usage so high
  why did my usage go up
  why did i use so much
  did we use a lot
  what is it costing us
  usage history
  my usage over time
  usage of everyone together
  all usage of the organization
  everybody together usage
  summary of usage
  usage summary
  usage digest
  usage as csv
  usage in detail
  full report of usage

/usage models {period?} {who?} {csv?} {-name?}
  how much {name}
  where do the credits go by model
  who uses {name}
  how many people use {name}
  how much does everyone use {name}
  usage of {name}
  how much do we use {name}
  model usage
  which models did we use
  which model do i use most
  which models are used
  what model was i on
  usage by model
  share of each model
  how much does each model cost
  which model costs the most
  which model eats the most
  models of {who}
  which models does {who} use
  what models does everybody use
  how much of usage is each model
  how much did {name} use
  what did {name} cost
  how much of {name} did we use
  share of {name}
  how often is {name} used
  is {name} used
  least used model
  how many models do we use
  most popular model
  popular models
  favorite model
  models csv

/usage tools {period?} {who?} {csv?}
  tool usage
  which tools did we use
  which tools do i use
  tool calls of {who}
  how many tool calls
  how many tool calls did i make
  which tool is used most
  most popular tools
  popular tools
  which tool servers are used
  is our tool server used
  which tools does everybody use
  how often was a tool used
  least used tools
  tools people use
  tools csv

/usage activity {period?} {group?} {csv?} {-rhythm?}
  active people in {group}
  how many people in {group} are active
  how many in {group} use it
  active users
  how many people are active
  how many people were active
  how many people use it
  how many users do we have
  how many of us use it
  how many used it
  activity
  how active is everyone
  how active are we
  number of people active each day
  is activity growing
  is adoption going up
  adoption
  how is adoption
  usage by client
  how many people use the cli
  how many users of each client
  clients
  which client do people use
  do people use the cli
  people per client
  sessions of clients
  how many sessions did we have
  how many messages
  activity csv

/usage productivity {period?} {who?} {csv?}
  how many pull requests did agents open
  pull requests open
  how many pull requests did we open
  most pull requests
  pull requests
  how many pull requests
  how many pull requests did i make
  how many pull requests did {who} make
  pull requests we made
  pull requests of {who}
  pull requests i merged
  how many pull requests were created
  number of pull requests
  productivity
  how productive are we
  how productive was {who}
  what did we ship
  how much did we ship
  pull requests csv

/usage moved {period?} {group?}
  where did the extra usage come from
  where did the usage come from
  where did all the credits go
  where does the money go
  why is usage down
  why is {period} down
  what changed in usage of {group}
  biggest changes in {group}
  why was {period} so cheap
  why did usage of {group} go up
  why did usage go up
  why did usage drop
  why did we use so much
  why did we use more
  why was {period} so expensive
  why is usage higher
  why is {period} so high
  why is it so high
  why did costs go up
  why so much
  what moved
  what moved in {period}
  what changed most
  what changed most in {period}
  who changed the most
  who moved the most
  who went up the most
  which people and teams changed most
  biggest changes in usage
  what drove the increase
  what changed in usage
  what changed in our usage
  changes in usage
  change in usage
  who drives the increase
  who caused the spike
  what is the reason for the spike
  why the spike
  explain the increase
  where did the increase in usage come from
  which teams went up
  what went up
  what is up with usage
  what happened to usage
  why is usage unusual
  why more than before
  who used more than before

/usage people {period?} {group?} {csv?} {-rhythm?}
  usage by person and day csv
  top people of {group}
  usage per user each day
  who used most
  who used the most credits
  who uses most
  who spent most
  top people
  top users
  topn users
  topn
  biggest user
  who is the top user
  who costs the most
  highest usage by person
  usage by person
  usage per person in {group}
  usage of each person
  how much did each person use
  how much did everyone use
  usage of everyone
  what did everybody use
  list of people with their usage
  people by usage
  all people
  people
  all users
  everyone's usage
  who used how much
  who used what
  who used it
  who uses it
  who is using it
  who is active
  who was active
  who in {group} used most
  which people in {group} used most
  who in {group} uses it
  each person of {group}
  members of {group}
  usage by person in {group}
  who did not use it
  who is inactive
  inactive people
  people who did not use it
  people without usage
  how many people did not use it
  how many people are inactive
  who has not been active
  who is not active
  who in {group} did not use it
  who pays for seats without usage
  unused seats
  which seats are unused
  how many seats are unused
  do we pay for seats of inactive people
  who used least
  who uses it least
  least active people
  people csv

/usage teams {period?} {csv?}
  usage of teams and many members
  people in no team
  usage of people not in a team
  which team has most usage
  which team has grown most
  how many people are in each team
  no team
  usage by team
  usage of each team
  usage of all teams
  how much did each team use
  how much do the teams use
  which team used most
  which team spends the most
  which team costs most
  which team uses the least
  top teams
  most team
  rank teams by usage
  team ranking
  teams
  list teams
  all teams
  compare all teams
  compare the teams
  compare teams
  teams side by side
  how do the teams compare
  how does my team compare
  myteam usage
  how much did myteam use
  teams csv

/usage this month me {-period:this_month}
  how many credits before i get blocked
  how much before i run out
  how much can i still use
  how many credits can i still use
  can i afford more
  will i run out before endof
  will i make it until endof
  where will i be endof
  will my limit last until endof
  is my limit ok
  can i make it
  do i need to worry about my limit
  do i need to slow down
  my limit status
  will i run out of credits
  will i run out
  when will i run out
  when do i run out of credits
  when will i reach my limit
  will i hit my limit
  am i going to hit my limit
  am i running out
  run out of credits when
  do i run out
  how long will my credits last
  will my credits last
  do my credits last until end of the month
  will it last
  will my limit last
  will my limit be enough
  is my limit enough
  do i have enough credits left
  do i have enough
  will i make it to the end of the month
  will i make it
  will i stay within my limit
  will i go over my limit
  at this rate when do i run out
  when will i be blocked
  how much do i have left
  how many credits do i have left
  what do i have left
  credits left
  credits left for me
  my credits left
  what is left of my limit
  how much of my limit is left
  how much of my limit have i used
  how much of my limit is gone
  what share of my limit have i used
  share of my limit
  limit left
  am i close to my limit
  how close am i to my limit
  how close am i to my cap at the end of the month
  am i over my limit
  did i go over my limit
  am i near my limit
  can i keep going at this pace
  how much can i use until the end of the month
  how much more can i use until the end of the month
  can i use more
  my forecast
  what will i have used at the end of the month
  where will i end up
  how much will i use
  will i use up my limit
  used up my limit
  my pace
  am i on track
  am i using it too fast
  am i too fast

/usage {period?} me
  my usage compared to others
  how do i compare to others
  am i above the average
  am i using more than others
  do i use more than others
  am i average
  do i use more than most people
  how much do others use compared to me
  where am i compared to others

/usage this month {-period:this_month}
  expected usage endof
  where will we be endof
  forecast endof
  what will {period} cost
  how much will {period} cost us in the end
  forecast
  forecast for the month
  our forecast
  usage forecast
  forecast for the organization
  what will we use by the end of the month
  how much will we use
  how much will we have used at the end of the month
  how much will it cost at the end of the month
  where will we end up
  where will we land
  how much will the month cost
  are we on track
  are we forecast to use more
  what is the forecast for the end of the month
  expected usage at the end of the month
  projected usage
  will we use more
  at this pace where do we end up
  our pace

/usage this month more {-period:this_month}
  how sure is the forecast
  how sure are you about the forecast
  what is the forecast based on
  basis of the forecast
  how was the forecast made
  explain the forecast

/usage {period} vs {period} {who?} {csv?}
  {period} vs {period}
  compare {period} with {period}
  usage in {period} vs {period}
  my usage in {period} compared to {period}
  did i use more in {period} than in {period}
  did we use more in {period} than in {period}
  did {who} use more in {period} than {period}
  was {period} more than {period}
  is {period} more expensive than {period}
  how much more did we use in {period} than {period}
  how does {period} compare to {period}
  usage {period} {period}
  {period} higher than {period}
  which was most {period} or {period}

/usage {period?} {who} vs {who} {csv?}
  {who} vs {who}
  compare {who} with {who}
  compare usage of {who} and {who}
  did {who} use more than {who}
  does {who} use more than {who}
  is {who} more than {who}
  who used more {who} or {who}
  who used most {who} or {who}
  which team used more {who} or {who}
  how does {who} compare to {who}
  usage of {who} and {who}
  difference of usage between {who} and {who}
  {who} {who}

/usage {period?} {name} vs {name} {csv?}
  {name} vs {name}
  compare {name} with {name}
  compare models {name} and {name}
  did we use {name} more than {name}
  is {name} used more than {name}
  which model is used most {name} or {name}
  {name} {name}

/usage notify {-percent?}
  warn me before i run out
  warn me before my credits run out
  warn me when i reach my limit
  warn me when i am close to my limit
  warn me when my limit is used up
  warn me at {percent} of my limit
  warn me at {percent}
  warn me about my limit
  watch my limit
  watch when i run out
  watch when i am close to my limit
  send me a warning before my limit
  set warning for my limit
  how do i get a warning before i run out
  tell me when i am close to my limit
  can you warn me
  my own warning

/usage watch {channel?} {group?}
  watch usage
  watch when usage is unusual
  watch unusual usage
  watch unusual days
  post when usage is unusual
  warn me when usage is unusual
  warn when usage jumps
  watch when usage goes up
  watch usage of {group}
  warning when usage is unusual
  warn us about unusual days
  create warning for unusual usage

/usage retire {-name?} {-period?}
  models that retire
  which models retire
  when does a model retire
  retire a model
  {name} retires
  {name} retires {period}
  {name} goes away {period}
  {name} is switched off {period}
  successor of a model
  successor of {name}

/usage unwatch {channel?}
  stop the warnings here
  stop warnings in {channel}
  stop the warnings about usage
  stop watching usage
  stop the warnings
  stop unusual warnings
  no more warnings
  turn off warnings of unusual days
`;
