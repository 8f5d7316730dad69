// Postcards in many scripts, each text with its translation.

export interface PostcardLanguage {
  language: string;
  script: string;
  country: string;
  city: string;
  writers: string[];
  texts: [text: string, translation: string][];
}

export const postcardLanguages: PostcardLanguage[] = [
  {
    language: "de",
    script: "Latin",
    country: "Germany",
    city: "Lübeck",
    writers: ["Anke Möller", "Jürgen Groß"],
    texts: [
      [
        "Liebe Nora, die Möwen schreien hier lauter als die Straßenbahn. Viele Grüße von der Trave, es riecht nach Marzipan!",
        "The gulls here are louder than the tram. Greetings from the Trave, it smells of marzipan.",
      ],
      [
        "Heute haben wir auf dem Dachboden ein Grammophon gefunden. Es spielt nur eine einzige Platte, aber die mit Gefühl.",
        "Today we found a gramophone in the attic. It plays a single record, but with feeling.",
      ],
      [
        "Schöne Grüße aus dem Schrebergarten: die Stachelbeeren sind reif, der Igel heißt Günther.",
        "Greetings from the allotment: the gooseberries are ripe, the hedgehog is called Günther.",
      ],
      [
        "Der Zug hatte vierzig Minuten Verspätung, also habe ich dir eine Karte gekauft. Jetzt bin ich fast dankbar.",
        "The train was forty minutes late, so I bought you a card. Now I am almost grateful.",
      ],
      [
        "Übers Eis gelaufen, heiße Schokolade getrunken, an dich und deine Katze gedacht.",
        "Walked over the ice, drank hot chocolate, thought of you and your cat.",
      ],
    ],
  },
  {
    language: "el",
    script: "Greek",
    country: "Greece",
    city: "Thessaloniki",
    writers: ["Ελένη Παπαδοπούλου", "Νίκος Γεωργίου"],
    texts: [
      [
        "Αγαπητή Νόρα, η θάλασσα σήμερα είναι σαν λάδι. Ο γάτος του λιμανιού κοιμάται πάνω στα δίχτυα.",
        "The sea today is like oil. The harbour cat sleeps on the nets.",
      ],
      [
        "Στη γειτονιά μας ανθίζουν οι νεραντζιές και όλος ο δρόμος μυρίζει άνοιξη.",
        "The bitter orange trees are in bloom and the whole street smells of spring.",
      ],
      [
        "Η γιαγιά μου λέει ότι ο καφές πρέπει να ψήνεται αργά, αλλιώς δεν λέει την αλήθεια.",
        "My grandmother says coffee must be made slowly, or it will not tell the truth.",
      ],
      [
        "Άκουσα ένα αηδόνι στο κάστρο και σκέφτηκα το κουτί σου με τα πουλιά.",
        "I heard a nightingale at the castle and thought of your box of birds.",
      ],
      ["Βρέχει επιτέλους! Οι ελιές χορεύουν.", "It is raining at last! The olive trees are dancing."],
    ],
  },
  {
    language: "ru",
    script: "Cyrillic",
    country: "Kazakhstan",
    city: "Almaty",
    writers: ["Айгерим Садыкова", "Ольга Ким"],
    texts: [
      [
        "Дорогая Нора! С балкона видны горы, и сегодня на них лёг первый снег. Чай с молоком, как у вас.",
        "From the balcony one sees the mountains, and today the first snow lies on them. Tea with milk, as at your place.",
      ],
      [
        "На базаре продают двенадцать сортов яблок. Самый старый называется апорт, он больше моей ладони.",
        "The market sells twelve kinds of apple. The oldest is called aport and is bigger than my hand.",
      ],
      [
        "Мой дедушка строил радиоприёмники. Он сказал бы, что ваш микрофон слушает с уважением.",
        "My grandfather built radios. He would say your microphone listens with respect.",
      ],
      [
        "Ночью поезд идёт мимо дома, и окна поют одну и ту же ноту.",
        "At night the train passes the house and the windows sing the same note.",
      ],
      [
        "Поздравляю с Новым годом! Пусть в нём будет больше тишины и больше песен.",
        "Happy New Year! May it hold more silence and more songs.",
      ],
    ],
  },
  {
    language: "ar",
    script: "Arabic",
    country: "Jordan",
    city: "Amman",
    writers: ["ريم الخطيب", "سامي حداد"],
    texts: [
      [
        "عزيزتي نورا، رائحة الياسمين تملأ الدرج كله هذا المساء. تحياتي من عمّان.",
        "The scent of jasmine fills the whole staircase this evening. Greetings from Amman.",
      ],
      [
        "خبز جدتي يخرج من الفرن الآن، ولو كنتِ جارتنا لأرسلت لكِ رغيفين.",
        "My grandmother's bread is coming out of the oven; if you were our neighbour I would send you two loaves.",
      ],
      [
        "في البتراء سمعت صدى خطواتي سبع مرات، وفكرت في عملك.",
        "In Petra I heard the echo of my steps seven times and thought of your work.",
      ],
      [
        "أمطرت اليوم لأول مرة منذ نيسان، وخرج الأولاد كلهم إلى الشارع.",
        "It rained today for the first time since April and all the children ran into the street.",
      ],
      [
        "قطتي لا تحب البريد، لكنها جلست على بطاقتك ساعة كاملة.",
        "My cat does not like the post, but she sat on your card for a whole hour.",
      ],
    ],
  },
  {
    language: "he",
    script: "Hebrew",
    country: "Israel",
    city: "Haifa",
    writers: ["תמר לוי", "יונתן ברק"],
    texts: [
      [
        "נורה היקרה, מהחלון אני רואה את הנמל, והאוניות מחכות בתור כמו במאפייה.",
        "From my window I see the harbour; the ships queue as if at a bakery.",
      ],
      [
        "השנה עץ הלימון שלנו נתן שלושים ואחד לימונים. ספרתי פעמיים.",
        "This year our lemon tree gave thirty-one lemons. I counted twice.",
      ],
      [
        "עגורים עברו מעל העמק כל הבוקר, והשמיים נשמעו כמו תזמורת לפני הקונצרט.",
        "Cranes crossed the valley all morning, and the sky sounded like an orchestra before the concert.",
      ],
      [
        "סבתא שלי שומרת גלויות בקופסת עוגיות. עכשיו גם שלך שם.",
        "My grandmother keeps postcards in a biscuit tin. Yours is there now too.",
      ],
    ],
  },
  {
    language: "hi",
    script: "Devanagari",
    country: "India",
    city: "Udaipur",
    writers: ["मीरा शर्मा", "अर्जुन पटेल"],
    texts: [
      [
        "प्रिय नोरा, झील पर आज सुबह कोहरा था और नाव वाले गा रहे थे।",
        "There was mist on the lake this morning and the boatmen were singing.",
      ],
      [
        "पहली बारिश के बाद मिट्टी की खुशबू डाक से नहीं भेजी जा सकती, इसलिए यह कार्ड भेज रही हूँ।",
        "The smell of earth after the first rain cannot be posted, so I send this card.",
      ],
      [
        "मेरी दादी कहती हैं कि मोर बारिश से पहले झूठ नहीं बोलता।",
        "My grandmother says that before rain the peacock does not lie.",
      ],
      ["दीवाली की शुभकामनाएँ! हमारी छत पर सौ दीये जल रहे हैं।", "Happy Diwali! A hundred lamps are burning on our roof."],
      [
        "स्टेशन की चाय, मिट्टी के कुल्हड़ में, और तुम्हारी चिट्ठी की याद।",
        "Station tea in a clay cup, and the memory of your letter.",
      ],
    ],
  },
  {
    language: "th",
    script: "Thai",
    country: "Thailand",
    city: "Chiang Mai",
    writers: ["สุดา วงศ์ไทย", "ณัฐ ชัยมงคล"],
    texts: [
      [
        "ถึงนอรา ที่นี่ฝนตกทุกบ่าย และกบร้องเพลงดังกว่าคณะประสานเสียงของเธอ",
        "It rains here every afternoon, and the frogs sing louder than your choir.",
      ],
      [
        "แมวของฉันชื่อข้าวเหนียว มันชอบนอนบนจดหมายเหมือนแมวของเธอ",
        "My cat is called Sticky Rice and likes to sleep on letters, like yours.",
      ],
      ["คืนนี้เราลอยโคมขึ้นฟ้า ฉันเขียนชื่อเธอไว้หนึ่งดวง", "Tonight we let lanterns rise into the sky; I wrote your name on one."],
      [
        "ตลาดเช้ามีมะม่วงสุกสามสิบกอง ฉันเลือกกองที่หอมที่สุด",
        "The morning market has thirty heaps of ripe mangoes; I chose the most fragrant.",
      ],
    ],
  },
  {
    language: "zh",
    script: "Han",
    country: "Taiwan",
    city: "Tainan",
    writers: ["林雅婷", "陳志明"],
    texts: [
      [
        "親愛的諾拉：今天早上廟口的鳳凰花開了，整條街都是紅的。",
        "This morning the flame trees by the temple bloomed and the whole street is red.",
      ],
      [
        "我奶奶說，聽得見安靜的人，才聽得懂下雨。",
        "My grandmother says: only who can hear silence understands the rain.",
      ],
      [
        "夜市的蚵仔煎配冰檸檬茶，三十年的老味道，真希望你也在。",
        "Oyster omelette at the night market with iced lemon tea, a taste of thirty years; I wish you were here.",
      ],
      ["颱風過後，巷子裡的貓一隻一隻回來了。", "After the typhoon the cats of the lane came back one by one."],
      ["祝你中秋快樂，月亮在都柏林也一樣圓嗎？", "Happy mid-autumn; is the moon as round in Dublin?"],
    ],
  },
  {
    language: "ja",
    script: "Kana",
    country: "Japan",
    city: "Matsue",
    writers: ["佐藤 健", "小林 さくら"],
    texts: [
      [
        "ノラさんへ。宍道湖の夕日を見ながらこの葉書を書いています。しじみの味噌汁をごちそうしたいです。",
        "I write this card watching the sunset over Lake Shinji. I would like to treat you to clam miso soup.",
      ],
      [
        "うちの猫は郵便屋さんが大好きで、毎朝門の前で待っています。",
        "Our cat adores the postman and waits at the gate every morning.",
      ],
      [
        "古いお寺の鐘の音が、谷の向こうまでゆっくり届きます。残響は何秒でしょうか。",
        "The bell of the old temple reaches slowly across the valley. How many seconds of reverberation might that be?",
      ],
      [
        "梅雨入りしました。かえるの合唱で眠れません。",
        "The rainy season has begun. The chorus of frogs keeps me awake.",
      ],
      [
        "お茶の稽古で、お湯の沸く音を「松風」と呼ぶと習いました。",
        "In the tea lesson I learned that the sound of simmering water is called wind in the pines.",
      ],
    ],
  },
  {
    language: "ko",
    script: "Hangul",
    country: "South Korea",
    city: "Jeonju",
    writers: ["김민지", "박서준"],
    texts: [
      [
        "노라에게, 한옥 지붕 위로 첫눈이 내렸어요. 세상이 아주 조용해졌어요.",
        "The first snow fell on the hanok roofs. The world has become very quiet.",
      ],
      [
        "할머니께서 김장을 하셨어요. 배추 백 포기, 웃음도 백 번.",
        "Grandmother made the winter kimchi: a hundred cabbages, a hundred laughs.",
      ],
      ["도서관 창가에서 까치가 책 읽는 나를 구경하고 있어요.", "At the library window a magpie is watching me read."],
      [
        "비빔밥은 섞어야 맛있고, 편지는 기다려야 맛있어요.",
        "Bibimbap is good when mixed, a letter is good when awaited.",
      ],
    ],
  },
  {
    language: "pt",
    script: "Latin",
    country: "Portugal",
    city: "Lisbon",
    writers: ["Celeste Ferreira"],
    texts: [
      [
        "Querida Nora, o Mateus era um menino que falava com os barcos. Agora fala contigo. Um beijo da avó.",
        "Mateus was a boy who talked to boats. Now he talks to you. A kiss from grandmother.",
      ],
      [
        "As andorinhas voltaram ao beiral. Guardei-te um frasco de doce de abóbora.",
        "The swallows are back under the eaves. I kept you a jar of pumpkin jam.",
      ],
      ["Sonhei com a tua sopa. Põe mais sal.", "I dreamt of your soup. Add more salt."],
    ],
  },
  {
    language: "uk",
    script: "Cyrillic",
    country: "Ukraine",
    city: "Lviv",
    writers: ["Оксана Шевчук"],
    texts: [
      [
        "Люба Норо, у нас цвітуть каштани, і трамвай номер два знову їздить.",
        "The chestnuts are in bloom, and tram number two is running again.",
      ],
      [
        "Дякую за листівку з маяком. Вона стоїть на підвіконні й світить.",
        "Thank you for the card with the lighthouse. It stands on the window sill and shines.",
      ],
      [
        "Кава, дощ, книжка. Їжачок під вікном шарудить листям.",
        "Coffee, rain, a book. A little hedgehog rustles the leaves under the window.",
      ],
    ],
  },
  {
    language: "en",
    script: "Latin",
    country: "New Zealand",
    city: "Dunedin",
    writers: ["Hine Tamati", "Gareth Low"],
    texts: [
      [
        "Kia ora Nora! A tūī in the flax outside does a perfect car alarm 🐦🚗. Aroha from the far south.",
        "Kia ora Nora! A tūī outside imitates a car alarm. Love from the far south.",
      ],
      [
        "Winter here while you swim 🥶🌊. The albatross chick weighs eight kilos and judges everyone.",
        "Winter here; the albatross chick weighs eight kilos.",
      ],
      [
        "Cheese rolls, fog, a brass band practising. Wish you were here with your meter 🎺📏.",
        "Cheese rolls, fog and a brass band.",
      ],
    ],
  },
];

/** Nora's replies, in English. */
export const sentTexts = [
  "Greetings from Dublin, where it is {weather}. A {bird} sang from the chimney while I wrote this, so please imagine it. 🎶",
  "Thank you for your card! It hangs over my desk at the lab, next to a picture of {room}. I measure how rooms sound, it is a real job.",
  "My cat Biscuit has sat on this card. The paw print is genuine. 🐾",
  "On Sunday we walked {walk} and ate sandwiches in the rain, which is a national dish.",
  "You asked what I sing: second alto, mostly one note, in {piece}. It is a very good note.",
  "The tea in this picture is too weak. Real tea here holds the spoon upright. ☕",
  "Today I counted {3..15} species from the balcony, the {bird} among them. My neighbour counted two seagulls and a drone.",
  "I read {book} because of you and missed my stop. Please recommend something less good.",
];
