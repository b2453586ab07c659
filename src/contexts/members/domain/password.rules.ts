export const PASSWORD_MIN_LENGTH = 15;
export const PASSWORD_MAX_LENGTH = 128;
const LEAST_DIFFERENT = 5;

export type PasswordProblem = 'length' | 'repetition' | 'name' | 'common';

/** Keyboards may encode the same characters differently. */
export const normalPassword = (password: string): string => password.normalize('NFC');

/**
 * Requires no kinds of characters (NIST SP 800-63B-4, 3.1.1.2). @param names of the member and the account
 */
export function passwordProblem(password: string, names: readonly string[]): PasswordProblem | undefined {
  const characters = [...password];
  if (characters.length < PASSWORD_MIN_LENGTH || characters.length > PASSWORD_MAX_LENGTH) return 'length';
  if (new Set(characters).size < LEAST_DIFFERENT) return 'repetition';
  const lower = password.toLowerCase();
  if (names.some((name) => lower.includes(name.toLowerCase()))) return 'name';
  return COMMON_PASSWORDS.has(lower) ? 'common' : undefined;
}

/** At least 15 characters, lower case: from zxcvbn (MIT), SecLists (MIT), and a few of the same kind. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
!loverockandroll 0123456789abcdef 0987poiuqwerasdf 100summerstreet 111222333444555 122333444455555
12345-67890-12345 123451234512345 1234512345123451 1234512345brookz 123456************************
1234561012345610 1234567812345678 1234567887654321 123456789.zipfer 12345678900987654321 123456789012345
1234567890123456 12345678901234567890 1234567890987654321 1234567890poiuytrewq 1234567890qweasds
1234567890qwerty 1234567890qwertyfy7jq3 1234567890qwertyuiop 1234567890rootkit! 123456789101112
123456789123456 123456789123456789 12345678987654321 1234567899876543 123456789987654321
123456789indigo987654321 123456789johnson 123456789qwerty 123456789tareek 12345678cdwqr#$rcxsc
12345678qwertyu 123456798101112 123456evergreen 123456ssssssssss 1234qwerasdfzxcv 12windowshopperr
14763administrator 159357123456789/*- 1duskfeelsummer 1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o
1q2w3e4r5t6y7u8i9o0p 1qa2ws3ed4rf5tg 1qaz2wsx3edc4rfv 1qaz2wsx3edc4rfv5tgb 1qazxsw23edc0147 1qazxsw23edcvfr4
23176djivanfros 2601jesusalberto 420842084208555 789456123456789 abcdefghijklmno abcdefghijklmnop
abcdefghijklmnopqrstuvwxyz admin*3a2f5b9fcbe3f1a71d81833c1a admin.0113100.... admin2cdwqr#$rcxsc
admin321cdwqr#$rcxsc adminadminbakwan administracion20 administrations administrator101231 administrator123
administrator1234 adminsitradores adrien123456azerty advocate01jesus ainternetmarketingsolution
aksjdlasdakj89879 akupunyasuka12345 alexv-1234567890987654321 algeria123456789 allahisgreat12345
alwaysandforever americademierda amoforeverthesickestkids aqwzsx987654321aqwzsx987654321 asdfg0987654321!!!
asdfghasdfghqwer asdfghjkl20090101 asdfghjklasdfghjkl asgharibegum12345 asmathulla12345 azertyuiop1234567890
backstage-admin baronerossosofim123456789 baseball15511551 bechuli123456789 bestfriendsforever
bhrh0h2oof6xbqjeh bismillah1234567 black1234567890 bpgjldsgjldthnf bruinsrock12345 carlingguy12345
cas32s3r123456789 casatrespatiosadmin changemechangeme changemechangeme1 chocolate123321 chocolate162006
chocolate7162332 chocolatecookies codpro1234567890 computerexpert651 computerscience conference12345
correcthorsebatterystaple costumesoftheamericasmuseum coucou123456789 deandremaster#yahoo.com
dhowtotrainyourdragon diamondprincess dirtylittlesecret disneyland12345$ dontmesswithmycomputer
dragonballzburstlimit eternalsunshineofthespotlessmind faisal123456789 falloutmaster13 falloutnv123456789
fazeelkhan12345 fidelromero123456 footballfootbal footballfootball footballsportsbaseball
foreverblowingbubbles forevermouthy12 foreverthesickestkids frenchadminadmin fulhamfootballclub1967
funkmastergeneral garybarlow0987654321 godisgreat12345 goldendragon1992 harrypotter2988 hd764nw5d7e1vb1
hd764nw5d7e1vbv heavenbound71801 heslo12345postgres hmcdougalfamily hockey.master666 howimetyourmother
howtotameyourdragon1982 ihavedecidedtofollowjesus! iloveamerica54321 iloveengland123456 iloveyew123456789
iloveyew12345798 iloveyoucleo1991 iloveyouforever iloveyouiloveyou iloveyoumichaeljackson iloveyoumybabygirl
iloveyoutothemoonandback iloveyouverymuch iloveyouwithallmyheart ilovmyfamilyforever07 internetcrime.gov
ipromisetoloveyouforever iwillloveyouforever1996 jesuschrist311268 jesuschristismysavior
jesuschristmyredeemer1 jesuschristwasanonlychild jesuschryslersupercar jesusesmicamino jesusiloveyouverymuch
jesusis#1inmylife jesusismyfriend jesusloves120388 jordan123456789 jws67bap123456789 karmaone1234567
kikiki123456789 kletmeloginfirst kronos0123456789 kt08151992abc12345 leicestercityfootballclub
letmeinletmein123 letmeinplease123 letmeinplease271# lhbjkjubz2957704 livefootballstreaming liverpool090992
liverpoolarethebest login_supervisor lolletmeloginherefirst loveislove123456 loveyouforeverandever
lytdybrbdfvgbhf mailcreated5240 manchestercity25 manchestercity3 manchesterunited marianitaprincess
marounhajjloveyou marriageinheaven masterofdisaster microsoft8537110 momsanaladventure morenita123456789
motherdaughterbookclub motherpublicschool msy919asdfgzxcvb mukundaadministrator muzafarkhan123456
mylifemyprincess mysecretpassword ne_e_pod_chehyl nemvxyheqdd5oqxyxyzi nick1234-rem936 nokia11zxcvbnm,.
opensesameopensesame paellapalop123456 pakistan1234567 password123456789 passwordpassword1
passwordpasswordpassword pillow123456789 playboyprincess plmnbvcxzaq0987654321 poiuytrewqwertyuiop1p
princessfatima2 printerprinter1 puffthemagicdragon117 puffthemagicdragon666 q0d8woadminarray
q1w2e3r4t5y6u7i8 q1w2e3r4t5y6u7i8o9p0 qazwsxedcrfv123 qazwsxedcrfvtgb qazwsxedcrfvtgbyhnujm qwertasdfgzxcvb
qwerty123456789 qwertyuiop0987654321 qwertyuiop12345 qwertyuiop123456789 qwertyuiopasdfg qwertyuiopasdfgh
qwertyuiopasdfghjkl qwertyuiopasdfghjklzxcvbnm qwertyuioppoiuytrewq123321 qwertyytrewq123 ravindralal12345
republicanamerican rj45administrator rura123456789123456789 sadiqabad123456 samensterk12345678
sanfelipedejesus saythesecretwor secret_codekorf52 secretknack1234 seven-admin12345678
shuvyashiottylogincrapsuwerelse springboardadmin starwars45lover stopreadingphpmyadmin
strawberryfieldsforever stretch$letmein! subzero-gamesmaster summerariel0805 supersecretapplerumors
sword-master666 sydney_whitechangeme testsecretstring thehedgeofshedbloodofjesuschrist
thelordismystrength117 thinkingofamasterplan thisisapassword thisisasecret12 thisismypassword
togetherforever triplechocolate1! trustno1trustno1 trustnoonebutyourself tuncie9876543212345
vangoghchangeme1 vyus1baseball26 waseem123456789 welcometomylife welcometothemonkeyhouse4
welcometothenewme2011 welcomewelcome1 whatever1234567 windows0ultimate windows123456789 windowsxp1258lol
writingforjesus wxcvbn123456789 wxyzabcdefghijklmnopqrstuvwxyz yaseeniloveyou!! zombiesareawesome
zombiesarecoming zombiesurvivalguide zqjphsyf6ctifgu zxcvbnm,.//.,mnbvcxz zxcvbnm123456789
zxcvbnmlkjhgfdsaqwerty zxcvbnmzxcvbnm1
`
    .trim()
    .split(/\s+/),
);
