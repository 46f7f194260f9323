/**
 * Words that change nothing about the meaning. A word that is in no table keeps a question from being answered, so a
 * word belongs here only if the answer is the same with it and without it.
 */
export const FILLERS = [
  'every|between|call|ask|somewhere|a|an|is|are|was|were|be|been|being|am|do|does|did|done|has|have|had|having|can|could|should|shall|might|may',
  'it|its|this|that|these|those|there|theres|thats|of|for|in|on|at|by|to|from|with|into|onto|via|about|as|so|if|then|also|too|and|both',
  'what|whats|which|wich|when|whens|where|wheres|how|hows|whatve|whatre',
  'please|pls|plz|plis|thanks|thx|thank|you|u|your|ur|ta|cheers|hi|hello|hey|hiya|yo|ok|okay|oi|dear|morning|good morning|good afternoon',
  'hi there|hey there|hello there|thanks so much|thank you so much|thanks a lot|many thanks|thanks in advance|ty|tia',
  'sorry|sorry to bother you|sorry to bother|excuse me|quick question|quick one|random question|one question|another question|question',
  'show|show me|give me|tell me|tell|send me|send|let me see|let me know|let me have|get me|pull|pull up|bring up|display|print|list|list of|find|find out|check|look up|lookup|see|view|fetch|grab|share|give|get|got|gimme|gives|need|want|needed|wanted|know',
  'can i get|could i get|may i get|can i have|could i have|may i have|may i see|can i see|could i see|can we get|can we have|could we have|can we see|could we see|can you|could you|would you|will you|can u|could u|would u|do you know|do you have|could you please|can you please|can you show me|could you show me|can you tell me|could you tell me|can you give me|could you give me|can you send me|could you send me|can u send me|could you pull',
  'i need|i want|i would like|id like|i d like|i want to see|i want to know|i need to know|i need to see|i would like to see|i would like to know|id like to see|id like to know|id love|i wonder|i wonder whether|im wondering|i was wondering|wondering|curious|just curious|im curious|im looking for|i am looking for|looking for|i think|i guess|i believe|i suppose|any idea|any ideas|any clue|remind me|remind',
  'my boss wants to know|my boss|boss|my manager wants to know|my lead wants to know|cfo wants to know|ceo wants to know|cto wants to know|finance wants to know|finance is asking again|finance is asking|finance asks|wants to know|is asking|asking again|management|for my report|for a report|for report|for finance|for my boss|for my manager|for a slide|for a presentation|for a meeting',
  'when you get a chance|when you have time|asap|real quick|quickly|quick|just|only|alone|actually|really|basically|exactly|roughly|approximately|about|around|again|already|even|still|ever|yet|any news|news|at all|by any chance|if possible|maybe|perhaps|simply|altogether|in fact|or so|i mean|lol|haha|hmm|hm|uh|um|well|oh|btw|by the way|obviously|of course|tbh|fyi|no rush|no names needed|without names|no names|right|anyway|kindly',
  'with it|for us|with agent|with agents|using agent|with bot|for agents|on its own|by itself|and so on|etc',
  'anything|something|everything|stuff|thing|things|some|any|all|kind|sort|kind of|sort of|like|look|looks|look like|looking|seems|seem|come|comes|came|coming|going|go|goes|went|happen|happened|happend|happening|do have|exist|exists|here|out|up|there is|there are',
  'amount|number|numbers of|overview|overview of|breakdown|breakdown of|summary of|stats|statistics|statistic|report|reports|chart|graph|table|values|value|level|levels|view of|info|information|information on|details on|picture|current|currently|put|pull together',
  'day by day|whole day|quartermaster|bot|@quartermaster|company account',
  'dec numbers|-|+|&|sir|mate|guys|friend|buddy|folks please',
].flatMap((line) => line.split('|'));
