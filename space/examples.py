"""Sentences that visitors can try, in five languages, two of them without spaces."""

# Name, source, correction, references, tokenizer.
SENTENCES = [
    (
        "Half corrected",
        "In winter she go to school every days by a bus .",
        "In the winter she goes to school every days by bus .",
        "In winter she goes to school every day by bus .\nIn winter she takes the bus to school .",
        "word",
    ),
    (
        "Two readings",
        "What is you name ?",
        "Who are you ?",
        "What is your name ?\nWho are you ?",
        "word",
    ),
    (
        "Nothing done",
        "He have many informations about the history .",
        "He have many informations about the history .",
        "He has a lot of information about history .",
        "word",
    ),
    (
        "A long sentence",
        "In my opinion , the peoples who lives in big city has many problem because the "
        "traffic are very bad and the air are not clean , so they often wants to moving in the "
        "countryside when they gets old .",
        "In my opinion , people who live in big cities have many problems because the traffic is "
        "very bad and the air is not clean , so they often want to moving into the countryside "
        "when they get older .",
        "In my opinion , people who live in big cities have many problems because the traffic is "
        "very bad and the air is not clean , so they often want to move into the countryside "
        "when they get old .",
        "word",
    ),
    (
        "German",
        "Gestern ich habe ein interessante Buch gelest .",
        "Gestern habe ich ein interessante Buch gelesen .",
        "Gestern habe ich ein interessantes Buch gelesen .",
        "word",
    ),
    (
        "Arabic",
        "الطلاب ذهب إلى المدرسة في الصباح .",
        "الطلاب ذهبوا إلى المدرسة في الصباح .",
        "الطلاب ذهبوا إلى المدرسة في الصباح .\nذهب الطلاب إلى المدرسة في الصباح .",
        "word",
    ),
    (
        "Chinese, by character",
        "我昨天去了学校和见了很多朋友们。",
        "我昨天去了学校，见了很多朋友们。",
        "我昨天去了学校，见了很多朋友。\n昨天我去了学校，见到了很多朋友。",
        "char",
    ),
    (
        "Japanese, by character",
        "私は昨日学校に行くました。",
        "私は昨日学校に行きました。",
        "私は昨日学校へ行きました。\n昨日、私は学校に行った。",
        "char",
    ),
]
