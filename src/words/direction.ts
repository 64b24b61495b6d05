/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069']
/** Marks that change the direction of all that follows; within a name they could turn the sentence around it. */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * A name as it goes into an English sentence. One in Arabic or Hebrew is isolated (Unicode UAX 9), so that the prices and dates
 * after it keep their places; a name may not turn around what surrounds it. Other names stay as they are.
 */
export function isolated(name: string): string {
  const plain = name.replaceAll(DIRECTION_MARKS, '')
  return RIGHT_TO_LEFT.test(plain) ? `${FIRST_STRONG_ISOLATE}${plain}${POP_ISOLATE}` : plain
}
