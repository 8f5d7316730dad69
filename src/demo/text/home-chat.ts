// Short dialogues at home and in the family. "n>" is Nora, "o>" is the other person.

export const partner = [
  `n> Are you home before {clock}?
o> Should be. Want anything from {shop}?
n> [Milk and {ingredient}|{ingredient}, if they have it|Just bread], please.
o> [On it|Consider it done|If they have it, we have it].`,
  `o> The cat is asleep on your score of {piece}.
n> Is he on the marked pages?
o> He is on all the pages.`,
  `n> Delayed, the bus has given up at {place}. Start without me.
o> I'll keep the {dish} warm.
n> You are very good.`,
  `o> Dinner idea: {dish}?
n> We had that on {day}.
o> Then {dish2}. I have the {ingredient} for it.
n> Sold.`,
  `n> It is {weather} and I have no coat.
o> It's on the hook where you left it.
n> That is what I was afraid of.`,
  `o> Your mother rang. She asked if you eat.
n> What did you say?
o> That you eat {dish} standing up at eleven at night.
n> Traitor.`,
  `n> Can you take the washing in? It is {weather} here.
o> Already in. Mostly dry. One sock short.`,
  `o> There is a {bird} on the balcony, very sure of itself.
n> Photo!
o> It left when I stood up. You'll have to believe me.`,
  `n> Film on {day}? {film} at the Lighthouse, {clock}.
o> Is it sad?
n> It's about [a lighthouse|a marriage|a bakery|two brothers], so probably.
o> Then yes.`,
  `o> Working late, the varnish on the figurehead needs another hour.
n> Grand, I'll do the {dish} for tomorrow then.
o> You are cooking ahead? Who is this?`,
  `n> Did you pay the [bin man|window cleaner|man with the ladder]?
o> Yesterday, cash, {15..40} euro.
n> Good man.`,
  `n> What do we bring to dinner on {day}?
o> Wine, and the {ingredient} they asked for.
n> And flowers?
o> You can't eat flowers. Fine, flowers.`,
  `o> Walk on Sunday? {walk}, if it isn't {weather}.
n> Yes. Early, before the buggies.
o> Define early.
n> Nine.
o> Define nine.`,
  `n> The neighbours are playing that song again.
o> What does the professional say?
n> {48..63} dB through the wall, and flat.`,
  `o> Museum news: the crate from [Cobh|Porto|Bergen|Hull] has arrived and nobody can find the key.
n> Have you asked Brendan?
o> Brendan has the key. Brendan is in Tenerife.`,
  `n> I finished {book} on the bus and cried at {place}.
o> Happy crying or sad crying?
n> Page {180..340} crying.`,
  `n> Rehearsal ran over, home by ten.
o> How was {piece}?
n> Like soup. Good soup by the end.`,
  `o> Biscuit has caught a moth and is telling everybody.
n> Tell him well done from me.`,
  `o> Do we own a [funnel|spirit level|piping bag|decent torch]?
n> Top drawer, left, under the batteries.
o> We own four.`,
  `n> I made too much {dish}, take some to work.
o> I have eaten it for breakfast.
n> All of it?
o> I am a thorough man.`,
];

/** "m>" Maeve, "t>" Tomás, "o>" Orla, "c>" Cian. */
export const familyGroup = [
  `m> Mass, then rain, then the match. {weather} here.
n> {weather2} in Dublin. Who won?
m> Don't ask your father that.`,
  `o> Finn said [moon|no|cat|more|boat] today, very clearly, to the toaster.
n> Genius.
t> He gets it from our side.`,
  `t> Who has the [long ladder|good saw|blue cool box|fish kettle]?
c> Not me.
n> I gave it to Cian in [March|August|2022].
m> Then it is in Galway and gone.`,
  `m> Photo of the garden: the [daffodils|dahlias|sweet pea|first potatoes] are out.
n> Gorgeous. Send me some?
m> In the post they'd be soup.`,
  `t> We are driving up on {day}, do you need turf, jam or opinions?
n> Jam please.
t> You'll get all three.`,
  `n> Mateus made {dish} from Mam's book, it worked!
m> Did he rest it?
n> He rested more than it did.`,
  `m> Your father has seen a {bird} and will not stop talking.
t> It was a fine specimen.
n> Did you write it down with the time?
t> I am not an amateur.`,
  `m> Does anyone know the name of that man with the [boat|trumpet|three dogs|moustache] from Enniscrone?
t> Gilvarry.
c> Not Gilvarry, the other fella.
n> This group is why I have no battery.`,
  `o> Call on Sunday at {clock}? Finn is awake and in form.
n> I'm in.
m> We'll put on the good lamp.`,
  `c> Sold the [red dinghy|small outboard|old trailer] today for {200..900}.
n> To whom?
c> A dentist from Athenry who gets sick in boats.`,
  `m> The [post office|bank|chip shop|petrol station] in the village is closing on {day}s now.
n> Where will Dad get his news?
t> I make my own.`,
  `n> Home for the long weekend, train gets in at {clock}.
t> I'll collect you. Bring the {ingredient} your mother can't get here.
m> And the cat?
n> The cat has a sitter.`,
  `c> Force {6..9} on the bay and a man wants to rent a kayak.
n> Did you let him?
c> I sold him a hot whiskey and a bus timetable.`,
  `t> The barometer says {weather2}. The television says {weather}.
n> Who is right?
t> The barometer, since 1961.`,
  `o> Night shift, so quiet that I can hear the vending machine think.
n> {31..39} dB, I'd say.
m> Is that healthy?`,
  `m> I found your school report from 2003. "Nora listens, but to what?"
n> Frame it.
o> Mine said "talks".`,
];

export const mum = [
  `o> Are you well? You sounded tired on Sunday.
n> Just the week. I slept nine hours.
o> Good. Eat something green.`,
  `o> The [Flynns|Mulderrigs|Gaughans] had a son and called him [Rocco|Jasper|Finbarr|Kai]. I say nothing.
n> You are saying something.
o> I am saying nothing in writing.`,
  `n> How long do I roast a [chicken of two kilos|shoulder of lamb|tray of parsnips]?
o> Until it looks right and then ten minutes.
n> Mam.
o> [An hour and a half|Three hours, low|Fifty minutes], and rest it.`,
  `o> I am knitting. What colour does Mateus like?
n> Blue. The dark kind.
o> I have green wool.
n> He loves green.`,
  `o> How do I get the photos of {walk} out of the phone?
n> Press the little arrow, then Mail.
o> It has sent you a photo of my thumb.
n> It's a lovely thumb.`,
  `o> There is a card in the post for you, mind the stamp, it is the {bird} one.
n> I'll keep it for Yuki.`,
  `n> I dreamt about Gran's kitchen.
o> The yellow dresser?
n> And the radio on top, too loud.
o> It was never off.`,
  `o> The choir here is doing {piece} and we have one tenor. One.
n> Is he good?
o> He is present.`,
];

export const sister = [
  `o> Finn slept from {7..9} to {5..6}. I feel like a queen.
n> Put it in the newspaper.`,
  `n> Can I ring you at {clock}?
o> Make it half an hour later, late shift.
n> Grand.`,
  `o> The daycare has [lice|a puppet theatre|a strike|hand, foot and mouth] again.
n> Poor you. Do you need me to come over?
o> Always, but not this week.`,
  `o> What was the name of the soup with {ingredient}?
n> {dish}?
o> That one! Berlin is cold and I want it.`,
  `n> Look at flights in [March|June|September|November], I want to see him walk.
o> He doesn't walk, he falls forward on purpose.`,
  `o> I told Mam you would do the talking at Christmas.
n> About what?
o> You'll see.`,
  `n> Reading {book}, you'd hate it.
o> Why?
n> The nurse is an angel.
o> Send it, I'll throw it.`,
  `o> Eleven hours on the ward and then a man gave me tulips because I looked tired.
n> Marry him.
o> He was eighty and a patient. But yes.`,
];
