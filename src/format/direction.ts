const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069']
/** Matches marks that change the text direction of everything after them, even beyond the end of a name. */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/g

/** Removes direction marks, and isolates Arabic or Hebrew names (Unicode UAX 9), so that text after them keeps its order. */
export function isolated(name: string): string {
  const plain = name.replaceAll(DIRECTION_MARKS, '')
  return RIGHT_TO_LEFT.test(plain) ? `${FIRST_STRONG_ISOLATE}${plain}${POP_ISOLATE}` : plain
}
