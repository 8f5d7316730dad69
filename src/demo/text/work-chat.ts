// Short dialogues at the office. "n>" is Nora; "a>", "b>" and "c>" are colleagues.

export const general = [
  `a> Timesheets by {clock} today please, three of you know who you are.
n> Done.
b> Done-ish.`,
  `a> Visitors from [the council|a Cork developer|the university|a Danish ceiling maker] at {10..12}, meeting room 2 is theirs.
n> Shall I move the tapping machine?
a> Please, last time someone sat on it.`,
  `b> Printer is out of [magenta|patience|A3|staples].
a> Ordered, comes on {day}.`,
  `a> Cake in the kitchen, [Lorcan passed his driving test|Oisín is a year older|we won {project} phase two|it is {day}].
n> What kind?
a> Hurry.`,
  `n> I have the van on {day} for {project}, shout if you need something moved.
b> The big stand, please, to the store.
n> Noted.`,
  `a> Holiday calendar: please enter August by the end of the week.
b> Is the second week gone?
a> The second week is always gone.`,
  `c> Whose bicycle is in the fire exit?
n> Not mine.
b> ...Moving it.`,
  `a> We are {3..9} days ahead on {project}. I would like that in writing.
n> This is writing.
a> So it is.`,
  `b> Fire drill at {10..15}:30, it's in the diary, do not bring ear defenders this time.
n> No promises.`,
  `a> New client call about [a cinema in Ennis|a crèche by the railway|a distillery tour|a padel court]. Who has room?
b> I have two days.
n> I can review.`,
];

export const projectChannel = [
  `a> {room} at {band}: {0.6..2.8} s measured, {0.6..2.6} in the model.
n> Which absorption for the ceiling?
a> Manufacturer's, mounted type E.
n> Use ours from the tube, theirs is optimistic.`,
  `b> Site says the [plasterboard|glazing|door sets|floor screed] in {room} changed to save money.
n> To what?
b> Single layer.
n> Then we lose {4..9} dB. I'll ring them.`,
  `n> Background level last night {22..41} dBA, {31..58} with the ventilation on.
a> Which fan?
n> Supply. There is a tone at {band}.
a> Blades or bearing?
n> Bearing, I think.`,
  `a> Draft report is up, {18..64} pages, {3..11} figures still to come.
n> I'll read it on the train.
a> Page {4..15} is where I am unsure.`,
  `c> Client asks if plants would help in {room}.
n> They help the mood.
c> Can I quote you?
n> Please don't.`,
  `b> Airborne test between {room} and {room2}: DnT,w {44..61}.
n> Requirement?
b> {45..58}.
n> Put the flanking path in the remarks either way.`,
  `a> The contractor has drilled through the [floating floor|party wall|isolation pad].
n> On purpose?
a> With enthusiasm.
n> On my way.`,
  `n> Measurement plan for {room}: {2..4} sources, {6..12} receivers, balloons as backup.
a> Microphones at 1.2 or 1.5?
n> 1.2, they sit.`,
  `a> Batteries for {instrument} are dead.
n> Spares in the yellow case.
a> The yellow case is in Galway.
n> Hannigan's closes at six, run.`,
  `b> {band} is still {2..6} dB over the curve.
n> Try the membrane, {40..120} mm depth.
b> That lands on it.
n> Lovely.`,
  `c> Minutes of the site meeting are in the folder: {5..14} actions, {1..4} ours.
n> Which is the urgent one?
c> The door seals in {room}.`,
  `n> Can we get into {room} on {day} after {20..22}:00?
a> Caretaker says yes, bring him a coffee.
n> Bring him two.`,
];

export const lab = [
  `a> {instrument} reads {0.2..1.4} dB low after the bump.
n> Check against the calibrator, twice.
a> 93.{6..9} both times.
n> Off to calibration then.`,
  `b> Absorption of the [felt|slotted timber|recycled denim|cork|perforated brick] sample: 0.{35..98} at {band}.
n> Thickness?
b> {20..100} mm, {0..200} mm gap.
n> Put it in the library.`,
  `n> Who has the key of the reverberation room?
a> It's in the door.
n> It's in the door on the inside?
a> Ah.`,
  `c> Script for the decay curves is in the shared folder, version {2..14}.
n> Does it handle the double slope now?
c> It complains about it, politely.`,
  `a> {instrument} firmware {3..6}.{0..9} loses the clock at midnight.
n> So do I. Stay on the old one.`,
  `b> Repeatability test: {0.1..0.5} dB over {10..30} runs.
n> Publishable.
b> Frameable.`,
  `n> There's a {bird} nesting in the intake of the reverberation room.
a> Then we don't measure there until June.
b> Finally a deadline I like.`,
  `c> How long do I wait after closing the door?
n> Until you can hear your own collar. About a minute.`,
];

export const random = [
  `a> Best biscuit, no discussion: [ginger nut|fig roll|custard cream|chocolate digestive].
n> There will be discussion.
b> I have left companies over less.`,
  `b> Anyone for {film} after work?
a> I fell asleep in it and loved it.
n> Review of the year.`,
  `a> There is a {bird} on the window sill of {room}.
n> Coming.
a> Everyone stay calm, Nora is coming.`,
  `c> What is the quietest place in Dublin?
n> The reading room of the Chester, {day} at ten.
b> My aunt's front room.`,
  `b> Lunch: soup place or the other soup place?
a> It is {weather}, so soup.
n> {dish} at the second one.`,
  `a> My son asked whether sound has a colour.
n> What did you say?
a> I said ask Nora.
n> Brown, mostly.`,
  `c> I hear a hum.
a> {band}?
c> Roughly.
n> It's the fridge. It is always the fridge.`,
  `n> Choir tickets for sale, {12..18} euro, {piece}, I am in row two, behind a tenor.
a> Two please.
b> Will there be an interval with wine?
n> There will.`,
];

export const direct = [
  `a> Have you five minutes for {project}?
n> After {clock}? Or now if it is really five.
a> It is really twenty.
n> Then tea first.`,
  `n> I moved our slot to {day}, {room} was taken.
a> Grand, I'd have been late anyway.`,
  `a> Can you check my figure on page {3..30}? The {band} point looks odd.
n> It is odd. It's also right, that's the fan.
a> I'll add a footnote.`,
  `n> Draft for {project} sent. Be cruel.
a> I have been. Two commas and one decimal point.
n> You call that cruel?`,
  `a> The client liked you on the phone, they asked for "the woman who explained it with the soup".
n> That's going on my door.`,
  `n> Working from home on {day}, waiting for a delivery.
a> No bother. Ring me if the model falls over.`,
  `a> How many hours are left on {project}?
n> {6..48}, if nobody has a new idea.
a> They will have a new idea.`,
  `a> Could you take the apprentices on {day}? Show them {instrument}.
n> Gladly. How many?
a> {3..8}, all very tall.`,
];
