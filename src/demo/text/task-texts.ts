// Titles of everyday tasks, by project.

export const taskTitles = {
  home: [
    "Buy {ingredient} and {ingredient}", "Descale the kettle", "Fix the bathroom shelf", "Water the lemon tree", "Oil the chopping board",
    "Return {book} to the library", "Wash the good tablecloth", "Bleed the radiators", "Sharpen the knives", "Sort the cable drawer",
    "New inner tube for the bike", "Repot the fern", "Take the glass to the bottle bank", "Mend the grey jumper", "Defrost the freezer",
    "Find the other sock", "Clean the balcony", "Cook {dish} for {day}", "Replace the bulb in the hall", "Order cat litter",
  ],
  work: [
    "Charge the batteries of {instrument}", "Write minutes of the {day} site meeting", "Check the {band} results of {room}",
    "Send samples for {room}", "Update the absorption library", "Book the van for {day}", "Read the fire report", "Timesheet",
    "Review Lorcan's chapter on {room}", "Ring the caretaker about {room}", "Label the new microphone cables", "Back up the measurement disk",
    "Draft the fee for {project}", "Order balloons", "Answer the architect about {band}", "Slides for the lunch talk",
  ],
  "wren-box": [
    "Label {40..300} clips of {bird}", "Replace the gasket on unit {2..9}", "Measure battery life at {2..16} degrees", "Try threshold 0.{65..80}",
    "Write down the wiring", "Order SD cards", "Test the {bird} class against rain", "Clean the microphone ports", "Ask Priya about the {bird} matrix",
    "Photograph the enclosure for the website", "Fix the clock drift of unit {2..9}", "Listen to the false {bird}s of {day}",
  ],
  family: [
    "Ring Mam about the hedge", "Birthday card for {day}", "Send Finn the wooden animals", "Photos for Dad's frame", "Book the train to Ballina",
    "Ask Orla about {month}", "Write to Avó Celeste", "Post {book} to Orla", "Thank-you card to Aunt Bríd", "Plan the Sunday call",
    "Ask Cian about the ladder",
  ].map((title) => title.replace("{month}", "the summer")),
  admin: [
    "File the receipts of last month", "Check the bank statement", "Renew the museum pass", "Compare phone plans", "Scan the insurance papers",
    "Change the password of the old mailbox", "Med-tax receipts for the year", "Update the will folder", "Book a dentist check-up",
    "Order stamps for postcards", "Renew the bicycle insurance", "Answer the census form",
  ],
};
