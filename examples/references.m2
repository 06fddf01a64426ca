S Last summer I have visited my cousin in Lyon .
A 3 4|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 3 4|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||1

S She do n't like it .
A 1 2|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||1

S My sister work in a hospital since three years .
A 2 3|||R:VERB:TENSE|||has worked|||REQUIRED|||-NONE-|||0
A 6 7|||R:PREP|||for|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:TENSE|||has been working|||REQUIRED|||-NONE-|||1
A 6 7|||R:PREP|||for|||REQUIRED|||-NONE-|||1

S Yesterday we eated at a small café near of the station .
A 2 3|||R:VERB:INFL|||ate|||REQUIRED|||-NONE-|||0
A 8 9|||U:PREP||||||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:INFL|||ate|||REQUIRED|||-NONE-|||1
A 8 9|||U:PREP||||||REQUIRED|||-NONE-|||1

S I am agree with the author because money is not everything .
A 1 2|||U:VERB||||||REQUIRED|||-NONE-|||0
A 1 2|||U:VERB||||||REQUIRED|||-NONE-|||1

S The informations on your website were very usefull for me .
A 1 2|||R:NOUN:INFL|||information|||REQUIRED|||-NONE-|||0
A 5 6|||R:VERB:SVA|||was|||REQUIRED|||-NONE-|||0
A 7 8|||R:SPELL|||useful|||REQUIRED|||-NONE-|||0
A 1 2|||R:NOUN:INFL|||information|||REQUIRED|||-NONE-|||1
A 5 6|||R:VERB:SVA|||was|||REQUIRED|||-NONE-|||1
A 7 8|||R:SPELL|||useful|||REQUIRED|||-NONE-|||1
A 8 9|||R:PREP|||to|||REQUIRED|||-NONE-|||1

S Thank you for your letter .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S In my opinion , the teenagers spend too much time with their phones , and they forget how to talk each other .
A 4 5|||U:DET||||||REQUIRED|||-NONE-|||0
A 10 11|||R:PREP|||on|||REQUIRED|||-NONE-|||0
A 20 20|||M:PREP|||to|||REQUIRED|||-NONE-|||0
A 4 5|||U:DET||||||REQUIRED|||-NONE-|||1
A 10 11|||R:PREP|||on|||REQUIRED|||-NONE-|||1
A 13 14|||U:PUNCT||||||REQUIRED|||-NONE-|||1
A 15 16|||U:PRON||||||REQUIRED|||-NONE-|||1
A 20 20|||M:PREP|||to|||REQUIRED|||-NONE-|||1

S He explained me the rules of the game .
A 2 3|||U:PRON||||||REQUIRED|||-NONE-|||0
A 8 8|||M:OTHER|||to me|||REQUIRED|||-NONE-|||0
A 2 3|||U:PRON||||||REQUIRED|||-NONE-|||1
A 8 8|||M:OTHER|||to me|||REQUIRED|||-NONE-|||1

S Although it was raining , but we decided to go to the beach .
A 5 6|||U:CONJ||||||REQUIRED|||-NONE-|||0
A 0 2|||U:CONJ|||It|||REQUIRED|||-NONE-|||1

S I look forward to hear from you soon .
A 4 5|||R:VERB:FORM|||hearing|||REQUIRED|||-NONE-|||0
A 4 5|||R:VERB:FORM|||hearing|||REQUIRED|||-NONE-|||1

S Our teacher gave us so many homeworks that I could not sleep enough .
A 5 6|||R:ADJ|||much|||REQUIRED|||-NONE-|||0
A 6 7|||R:NOUN:INFL|||homework|||REQUIRED|||-NONE-|||0
A 5 6|||R:ADJ|||much|||REQUIRED|||-NONE-|||1
A 6 7|||R:NOUN:INFL|||homework|||REQUIRED|||-NONE-|||1
A 11 13|||R:OTHER|||get enough sleep|||REQUIRED|||-NONE-|||1

S The people in Kraków is very friendly and they always try to help the tourists .
A 4 5|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0
A 13 14|||U:DET||||||REQUIRED|||-NONE-|||0
A 4 5|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||1
A 7 7|||M:PUNCT|||,|||REQUIRED|||-NONE-|||1
A 13 14|||U:DET||||||REQUIRED|||-NONE-|||1

S I have 22 years old and I study economy at the university .
A 1 2|||R:VERB|||am|||REQUIRED|||-NONE-|||0
A 8 9|||R:NOUN|||economics|||REQUIRED|||-NONE-|||0
A 10 11|||U:DET||||||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||am|||REQUIRED|||-NONE-|||1
A 8 9|||R:NOUN|||economics|||REQUIRED|||-NONE-|||1

S Can you tell me where is the nearest bus stop ?
A 5 6|||U:VERB||||||REQUIRED|||-NONE-|||0
A 10 10|||M:VERB|||is|||REQUIRED|||-NONE-|||0
A 5 6|||U:VERB||||||REQUIRED|||-NONE-|||1
A 10 10|||M:VERB|||is|||REQUIRED|||-NONE-|||1

S This is the more interesting book that I never read .
A 3 4|||R:ADV|||most|||REQUIRED|||-NONE-|||0
A 8 9|||R:OTHER|||have ever|||REQUIRED|||-NONE-|||0
A 3 4|||R:ADV|||most|||REQUIRED|||-NONE-|||1
A 6 7|||U:PRON||||||REQUIRED|||-NONE-|||1
A 8 9|||R:OTHER|||have ever|||REQUIRED|||-NONE-|||1

S We took the early train to Porto and arrived before lunch .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S If I would have more money , I would buy a new labtop .
A 2 4|||R:VERB:TENSE|||had|||REQUIRED|||-NONE-|||0
A 12 13|||R:SPELL|||laptop|||REQUIRED|||-NONE-|||0
A 2 4|||R:VERB:TENSE|||had|||REQUIRED|||-NONE-|||1
A 12 13|||R:SPELL|||laptop|||REQUIRED|||-NONE-|||1

S My boss said me that I must to finish the report until Friday .
A 2 3|||R:VERB|||told|||REQUIRED|||-NONE-|||0
A 7 8|||U:PART||||||REQUIRED|||-NONE-|||0
A 11 12|||R:PREP|||by|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB|||told|||REQUIRED|||-NONE-|||1
A 6 7|||R:VERB|||had|||REQUIRED|||-NONE-|||1
A 11 12|||R:PREP|||by|||REQUIRED|||-NONE-|||1

S She is married with a doctor from Brazil .
A 3 4|||R:PREP|||to|||REQUIRED|||-NONE-|||0
A 3 4|||R:PREP|||to|||REQUIRED|||-NONE-|||1

S It depends of the weather .
A 2 3|||R:PREP|||on|||REQUIRED|||-NONE-|||0
A 2 3|||R:PREP|||on|||REQUIRED|||-NONE-|||1

S In the evening we was tired but happy , the food was delicious and we had danced all the night .
A 4 5|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||0
A 8 9|||R:PUNCT|||;|||REQUIRED|||-NONE-|||0
A 18 19|||U:DET||||||REQUIRED|||-NONE-|||0
A 4 5|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||1
A 8 10|||R:PUNCT|||. The|||REQUIRED|||-NONE-|||1
A 13 13|||M:PUNCT|||,|||REQUIRED|||-NONE-|||1
A 18 19|||U:DET||||||REQUIRED|||-NONE-|||1

S Dear Mr Núñez , I am writting to apply for the job of waiter .
A 6 7|||R:SPELL|||writing|||REQUIRED|||-NONE-|||0
A 6 7|||R:SPELL|||writing|||REQUIRED|||-NONE-|||1
A 11 12|||R:NOUN|||position|||REQUIRED|||-NONE-|||1

S Too much expensive !
A 1 2|||U:ADV||||||REQUIRED|||-NONE-|||0
A 0 2|||R:WO|||Much too|||REQUIRED|||-NONE-|||1

S Best regard ,
A 1 2|||R:NOUN:NUM|||regards|||REQUIRED|||-NONE-|||0
A 1 2|||R:NOUN:NUM|||regards|||REQUIRED|||-NONE-|||1

S The cooker in the restaurant prepared for us a very tasty soup with mushrooms .
A 1 2|||R:NOUN|||cook|||REQUIRED|||-NONE-|||0
A 6 8|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 14 14|||M:OTHER|||for us|||REQUIRED|||-NONE-|||0
A 1 2|||R:NOUN|||chef|||REQUIRED|||-NONE-|||1
A 2 3|||R:PREP|||at|||REQUIRED|||-NONE-|||1
A 6 8|||U:OTHER||||||REQUIRED|||-NONE-|||1
A 11 11|||M:NOUN|||mushroom|||REQUIRED|||-NONE-|||1
A 12 14|||R:OTHER|||for us|||REQUIRED|||-NONE-|||1

S Nobody knew why the door was open .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S One of the biggest problem in my city is the traffic .
A 4 5|||R:NOUN:NUM|||problems|||REQUIRED|||-NONE-|||0
A 4 5|||R:NOUN:NUM|||problems|||REQUIRED|||-NONE-|||1
A 9 10|||U:DET||||||REQUIRED|||-NONE-|||1

S I did not knew that the museum closes at Mondays .
A 3 4|||R:VERB:FORM|||know|||REQUIRED|||-NONE-|||0
A 8 9|||R:PREP|||on|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB:FORM|||know|||REQUIRED|||-NONE-|||1
A 7 8|||R:VERB:TENSE|||is closed|||REQUIRED|||-NONE-|||1
A 8 9|||R:PREP|||on|||REQUIRED|||-NONE-|||1

S When I was child , my grandmother told me storys about her village every night .
A 3 3|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 9 10|||R:NOUN:INFL|||stories|||REQUIRED|||-NONE-|||0
A 3 3|||M:DET|||a|||REQUIRED|||-NONE-|||1
A 7 8|||R:VERB:TENSE|||used to tell|||REQUIRED|||-NONE-|||1
A 9 10|||R:NOUN:INFL|||stories|||REQUIRED|||-NONE-|||1

S I want to improve my English , because I need it for my work and for travel abroad .
A 6 7|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 16 17|||R:MORPH|||travelling|||REQUIRED|||-NONE-|||0
A 6 7|||U:PUNCT||||||REQUIRED|||-NONE-|||1
A 12 13|||U:DET||||||REQUIRED|||-NONE-|||1
A 16 17|||R:MORPH|||travelling|||REQUIRED|||-NONE-|||1

S The film was so bored that I fell asleep after twenty minutes .
A 4 5|||R:ADJ|||boring|||REQUIRED|||-NONE-|||0
A 4 5|||R:ADJ|||boring|||REQUIRED|||-NONE-|||1

S He goes usually to the work by bicycle .
A 1 3|||R:WO|||usually goes|||REQUIRED|||-NONE-|||0
A 4 5|||U:DET||||||REQUIRED|||-NONE-|||0
A 1 3|||R:OTHER|||usually cycles|||REQUIRED|||-NONE-|||1
A 4 5|||U:DET||||||REQUIRED|||-NONE-|||1
A 6 8|||U:OTHER||||||REQUIRED|||-NONE-|||1

S Nowadays exist many kinds of diet , but not all of them are healthy .
A 1 2|||R:OTHER|||there are|||REQUIRED|||-NONE-|||0
A 1 2|||R:OTHER|||, there are|||REQUIRED|||-NONE-|||1
A 5 6|||R:NOUN:NUM|||diets|||REQUIRED|||-NONE-|||1

S I think that governement should to build more parks for childrens .
A 3 4|||R:OTHER|||the government|||REQUIRED|||-NONE-|||0
A 5 6|||U:PART||||||REQUIRED|||-NONE-|||0
A 10 11|||R:NOUN:INFL|||children|||REQUIRED|||-NONE-|||0
A 3 4|||R:OTHER|||the government|||REQUIRED|||-NONE-|||1
A 5 6|||U:PART||||||REQUIRED|||-NONE-|||1
A 10 11|||R:NOUN:INFL|||children|||REQUIRED|||-NONE-|||1

S We stayed in a hotel who had a beautiful view of the sea .
A 5 6|||R:PRON|||that|||REQUIRED|||-NONE-|||0
A 5 7|||R:OTHER|||with|||REQUIRED|||-NONE-|||1

S My friend José has lost his passport in the airport and he had to phone to the embassy .
A 3 4|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 7 8|||R:PREP|||at|||REQUIRED|||-NONE-|||0
A 15 16|||U:PREP||||||REQUIRED|||-NONE-|||0
A 3 4|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||1
A 7 8|||R:PREP|||at|||REQUIRED|||-NONE-|||1
A 11 12|||U:PRON||||||REQUIRED|||-NONE-|||1
A 15 16|||U:PREP||||||REQUIRED|||-NONE-|||1

S The library opens at nine , but the coffee machine is never ready before ten .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S They made a party for celebrate the end of exams .
A 1 2|||R:VERB|||had|||REQUIRED|||-NONE-|||0
A 4 5|||R:PART|||to|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||threw|||REQUIRED|||-NONE-|||1
A 4 5|||R:PART|||to|||REQUIRED|||-NONE-|||1
A 9 9|||M:DET|||the|||REQUIRED|||-NONE-|||1

S Where you are from ?
A 1 3|||R:WO|||are you|||REQUIRED|||-NONE-|||0
A 1 3|||R:WO|||are you|||REQUIRED|||-NONE-|||1

S On the one hand , living in a big city gives you more oportunities , on the other hand the life is more stressful and the rents are higher every year .
A 13 14|||R:SPELL|||opportunities|||REQUIRED|||-NONE-|||0
A 14 15|||R:PUNCT|||;|||REQUIRED|||-NONE-|||0
A 19 20|||R:OTHER|||,|||REQUIRED|||-NONE-|||0
A 13 14|||R:SPELL|||opportunities|||REQUIRED|||-NONE-|||1
A 14 16|||R:PUNCT|||. On|||REQUIRED|||-NONE-|||1
A 19 20|||R:OTHER|||,|||REQUIRED|||-NONE-|||1
A 25 26|||U:DET||||||REQUIRED|||-NONE-|||1
A 27 28|||R:VERB|||get|||REQUIRED|||-NONE-|||1

S I have been to Japan two years ago .
A 1 3|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0
A 1 3|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||1

S The childrens was playing in the garden when it began to rain .
A 1 2|||R:NOUN:INFL|||children|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||0
A 1 2|||R:NOUN:INFL|||children|||REQUIRED|||-NONE-|||1
A 2 3|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||1

S I recommend you to visit the old town because there is a lot of interesting buildings .
A 2 2|||M:CONJ|||that|||REQUIRED|||-NONE-|||0
A 3 4|||U:PART||||||REQUIRED|||-NONE-|||0
A 10 11|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0
A 2 5|||R:OTHER|||visiting|||REQUIRED|||-NONE-|||1
A 10 11|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||1

S There were less people than I expected at the concert .
A 2 3|||R:ADJ|||fewer|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S After dinner we usually watch a film or play cards .
A 2 2|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S He is a very good student , he always do his home work in time .
A 6 7|||R:PUNCT|||;|||REQUIRED|||-NONE-|||0
A 9 10|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0
A 11 13|||R:ORTH|||homework|||REQUIRED|||-NONE-|||0
A 13 14|||R:PREP|||on|||REQUIRED|||-NONE-|||0
A 6 8|||R:OTHER|||who|||REQUIRED|||-NONE-|||1
A 9 10|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||1
A 11 13|||R:ORTH|||homework|||REQUIRED|||-NONE-|||1
A 13 14|||R:PREP|||on|||REQUIRED|||-NONE-|||1

S If you have any questions , please do not hesitate to call me .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S I was naïve and I trusted to a man that he sold false tickets .
A 6 7|||U:PREP||||||REQUIRED|||-NONE-|||0
A 9 11|||R:PRON|||who|||REQUIRED|||-NONE-|||0
A 4 5|||U:PRON||||||REQUIRED|||-NONE-|||1
A 6 7|||U:PREP||||||REQUIRED|||-NONE-|||1
A 9 11|||R:PRON|||who|||REQUIRED|||-NONE-|||1
A 11 12|||R:VERB:TENSE|||was selling|||REQUIRED|||-NONE-|||1
A 12 13|||R:ADJ|||fake|||REQUIRED|||-NONE-|||1

S Learning a language takes patience , and most people give up too early .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S I 'm living in london since 2015 and I feel here like in home .
A 1 2|||R:VERB:TENSE|||have been|||REQUIRED|||-NONE-|||0
A 4 5|||R:ORTH|||London|||REQUIRED|||-NONE-|||0
A 10 13|||R:OTHER|||at|||REQUIRED|||-NONE-|||0
A 14 14|||M:ADV|||here|||REQUIRED|||-NONE-|||0
A 1 3|||R:VERB:TENSE|||have lived|||REQUIRED|||-NONE-|||1
A 4 5|||R:ORTH|||London|||REQUIRED|||-NONE-|||1
A 7 7|||M:PUNCT|||,|||REQUIRED|||-NONE-|||1
A 10 13|||R:OTHER|||at|||REQUIRED|||-NONE-|||1
A 14 14|||M:ADV|||here|||REQUIRED|||-NONE-|||1

S The soup tastes well , but it needs more salt .
A 3 4|||R:OTHER|||good|||REQUIRED|||-NONE-|||0
A 3 4|||R:OTHER|||good|||REQUIRED|||-NONE-|||1

S In addition , smoking is not only bad for the person who smoke but also for people that are around him .
A 12 13|||R:VERB:SVA|||smokes|||REQUIRED|||-NONE-|||0
A 16 16|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 17 18|||R:PRON|||who|||REQUIRED|||-NONE-|||0
A 5 8|||R:WO|||bad not only|||REQUIRED|||-NONE-|||1
A 12 13|||R:VERB:SVA|||smokes|||REQUIRED|||-NONE-|||1
A 16 16|||M:DET|||the|||REQUIRED|||-NONE-|||1
A 17 19|||U:OTHER||||||REQUIRED|||-NONE-|||1
A 20 21|||R:PRON|||them|||REQUIRED|||-NONE-|||1

S I would like to know how much costs the course and when does it start .
A 7 10|||R:WO|||the course costs|||REQUIRED|||-NONE-|||0
A 12 13|||U:VERB||||||REQUIRED|||-NONE-|||0
A 14 15|||R:VERB:SVA|||starts|||REQUIRED|||-NONE-|||0
A 7 10|||R:WO|||the course costs|||REQUIRED|||-NONE-|||1
A 12 13|||U:VERB||||||REQUIRED|||-NONE-|||1
A 14 15|||R:VERB:SVA|||starts|||REQUIRED|||-NONE-|||1

S Finally we arrived to the hostel at midnight , we were very hungry and all the restaurants were close .
A 3 4|||R:PREP|||at|||REQUIRED|||-NONE-|||0
A 8 9|||R:PUNCT|||;|||REQUIRED|||-NONE-|||0
A 18 19|||R:MORPH|||closed|||REQUIRED|||-NONE-|||0
A 0 2|||R:WO|||We finally|||REQUIRED|||-NONE-|||1
A 3 4|||R:PREP|||at|||REQUIRED|||-NONE-|||1
A 8 10|||R:PUNCT|||. We|||REQUIRED|||-NONE-|||1
A 13 14|||R:OTHER|||, but|||REQUIRED|||-NONE-|||1
A 18 19|||R:MORPH|||closed|||REQUIRED|||-NONE-|||1

S I have never seen so much snow in my life .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S She suggested me a good dentist .
A 2 3|||U:PRON||||||REQUIRED|||-NONE-|||0
A 6 6|||M:OTHER|||to me|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||recommended|||REQUIRED|||-NONE-|||1
A 2 3|||U:PRON||||||REQUIRED|||-NONE-|||1
A 6 6|||M:OTHER|||to me|||REQUIRED|||-NONE-|||1

S It is a pitty you ca n't come to our weeding next month .
A 3 4|||R:SPELL|||pity|||REQUIRED|||-NONE-|||0
A 10 11|||R:NOUN|||wedding|||REQUIRED|||-NONE-|||0
A 3 4|||R:SPELL|||pity|||REQUIRED|||-NONE-|||1
A 10 11|||R:NOUN|||wedding|||REQUIRED|||-NONE-|||1

S What a surprise !
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S My flat mate Zoë and me are planning to make a trip to Iceland during the Christmas hollidays .
A 1 3|||R:ORTH|||flatmate|||REQUIRED|||-NONE-|||0
A 5 6|||R:PRON|||I|||REQUIRED|||-NONE-|||0
A 17 18|||R:SPELL|||holidays|||REQUIRED|||-NONE-|||0
A 1 3|||R:ORTH|||flatmate|||REQUIRED|||-NONE-|||1
A 5 6|||R:PRON|||I|||REQUIRED|||-NONE-|||1
A 8 10|||U:OTHER||||||REQUIRED|||-NONE-|||1
A 17 18|||R:SPELL|||holidays|||REQUIRED|||-NONE-|||1

