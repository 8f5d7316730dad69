// Short dialogues among friends. "n>" is Nora, "o>" is the other person.

/** "a>" Sinéad, "b>" Priya, "c>" Yuki, "l>" Leila. */
export const supperClub = [
  `a> Supper club on {day}: who cooks?
n> I can do {dish}.
b> I'll bring {ingredient} and a cake.
c> I'll bring my appetite and the good playlist.`,
  `b> {film} is on at the Lighthouse, anyone?
n> In.
a> In if it ends before eleven, I have 28 nine-year-olds tomorrow.`,
  `c> New records in: one Portuguese, one that is only foghorns.
n> Keep the foghorns for me.
a> Of course you want the foghorns.`,
  `a> Hike on {day}? {walk}, meet at {8..10} by the canal.
n> Yes!
b> I'm at sea until Thursday, wave at me.`,
  `n> Has anyone a [pasta machine|big cool box|tent for two|projector|sewing machine foot] to lend?
a> I do. It squeaks.
n> I love that it squeaks.`,
  `b> Reminder that {book} is for [Tuesday|Wednesday|Thursday] and nobody has started it.
c> I have started it.
a> You have bought it.
c> That is how starting works.`,
  `a> My class wrote stories about "the loudest thing I know". Eleven wrote about their baby brother.
n> Can I quote them in a report?
a> Please do.`,
  `b> It is {weather}. Swim at the Forty Foot at {clock}?
n> You are not well.
b> Is that a yes?
n> It's a yes.`,
  `n> Leftover {dish} going at ours tonight.
a> How much?
n> An army's worth.
a> On the bike.`,
  `c> Overheard in the shop: "Do you have anything quiet but sad?"
n> What did you sell them?
c> Everything.`,
  `a> Vote: {dish} or {dish2} for Sunday?
n> First one.
b> First one.
c> Second one, for democracy.`,
  `b> Who left a [green umbrella|single glove|tin of {ingredient}|library book] at mine?
n> Guilty.
b> I'm keeping it until you return my bowl.`,
  `l> New on the menu: {dish} with {ingredient}. I need honest people.
n> I am honest and free on {day}.
a> I am hungry and free on {day}.`,
  `l> The oven has [died|a fever|opinions] again, closed tonight.
b> Come to mine, I have {dish} and no plans.
l> You are all angels.`,
];

export const priya = [
  `o> Sea state six, I am typing this with one hand and holding the soup with the other.
n> Which soup?
o> That is a very Nora question. {dish}.`,
  `n> Could you mind Biscuit from {day} to {day2}?
o> Yes. Same drill?
n> Same drill. Key as usual.
o> He owes me an apology about the curtain.`,
  `o> I plotted your balcony noise against the tide table.
n> Any correlation?
o> None at all. It's beautiful.`,
  `o> Coffee at {clock}? I have a statistics question and no shame.
n> The Little Cup?
o> Ten minutes.`,
  `n> How was the [cruise|survey|conference|interview]?
o> {3..14} stations, two storms, one whale.
n> What kind?
o> Minke. Polite.`,
  `o> Your {bird} model is overfitting, I can smell it from here.
n> It is 2 a.m.
o> It was 2 a.m. when I smelled it.`,
  `o> Cinema? {film}. I need to sit in the dark and not be asked about plankton.
n> {day}, {clock}, my treat.`,
  `n> The tomatoes say thank you, they have {4..19} flowers.
o> Do not let them get ideas, pinch them out.`,
];

export const jonas = [
  `o> Need a second pair of hands on {day} for a staircase.
n> Which end?
o> The heavy one.
n> {clock} then.`,
  `n> What oil for the kitchen board?
o> Linseed, thin, three times, wait a day each. Not olive. Never olive.`,
  `o> Made a mistake of two millimetres today. I have told only you.
n> I'll take it to the grave.`,
  `o> There is a piece of [elm|yew|bog oak|cherry] here that wants to be a loudspeaker.
n> How big?
o> Two small ones or one proud one.
n> Two small ones.`,
  `n> Table wobbles since the weekend.
o> Which leg?
n> All of them?
o> Then it is the floor.`,
  `o> Listening to the dawn chorus while waiting for glue. A {bird}, I think.
n> Record it!
o> My hands are glue.`,
  `n> How is your back?
o> Better. The physio says I lift like a poet.`,
  `o> Beer on {day}? I have opinions about {film}.
n> Bad ones?
o> Correct ones.`,
];

/** "a>" Priya, "b>" Jonas. */
export const wrenBoxGroup = [
  `n> Last night: {12..88} detections, {3..14} species, one bus.
a> Was the bus a bittern again?
n> It was a {bird} with 0.{51..68}. Progress.`,
  `a> Battery log for unit {2..9}: {19..33} hours at {4..17} degrees.
n> Better than last week.
b> The new gasket helps, it doesn't sit in condensation.`,
  `b> Which screws for the lid?
n> M3 by {8..16}, stainless.
b> You'll thank me if they are slotted.
n> I will not.`,
  `n> Threshold at 0.{68..79} tonight, let's see what we lose.
a> You'll lose the shy ones.
n> And the lorries.`,
  `a> I relabelled {120..640} clips. There is a {bird} in there that nobody asked for.
n> You are a hero.
a> I did it in a meeting.`,
  `n> Rain on the lid sounds like a {bird} to the model.
b> Felt under the lid. {2..4} mm.
n> Obviously. Thank you.`,
  `b> Moved the test unit to the north side, away from the extractor fan.
n> Noise floor dropped {3..9} dB.
a> Put that on a T-shirt.`,
  `n> First {bird} of the year on the box, at 0{4..6}:{10..59}!
a> Confidence?
n> 0.{80..98}.
a> Then I believe you and the bird.`,
];

/** "o>" Dermot the director, "a>" Yuki, "b>" Sinéad. */
export const choir = [
  `o> Tuesday: {piece}, bars {10..40} to {60..120}, then tea. Bring pencils.
n> I'll bring biscuits.`,
  `a> Is rehearsal in the hall or the church?
o> Church. Wear a jumper, wear two.`,
  `n> Can someone send me the alto line of {piece}? The cat sat on mine.
a> Scanned, in the folder.
n> Thank you!`,
  `o> Tenors, I have been asked to say that we love you.
a> That sounds like a criticism.
o> Bar {30..90}. It is.`,
  `a> Lift from {place} on Tuesday?
n> I'm on the bike, sorry.
b> I have a seat, leaving at {clock}.`,
  `o> {piece} was in tune for eleven bars today. I counted. Well done.
n> Which eleven?
o> Not those you think.`,
  `b> Lost: one black folder, full of {piece}, empty of pencil marks.
o> Then it is not an alto's.
n> Proud.`,
  `a> The heating in the church is broken again.
n> It is worth {1..2}.{1..9} seconds of reverberation, cold air is kind.
a> Nora, we are freezing.`,
];
