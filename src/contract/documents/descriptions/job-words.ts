/** Words that are ignored, because they do not distinguish one request from another. */
const EMPTY = new Set(
  `a an the and or but if of to in on at by for from with without into as than then so that this these those it its i me my we us our
  you your he she they them their somebody someone anybody anyone everybody everyone people person who whom what which where how why
  is are was were be been do does did have has had can could may might must shall should will would not no only just any some all each
  every same other there here please want need let get put make show see give take one two three first always currently about
  day days month months week year today yesterday tomorrow last next past this ago before after between until am pm january october
  december monday tuesday euro euros dollar dollars percent number something anything more most much many`.split(/\s+/),
)
/** Words with the same meaning, one group per line. The first word of a line replaces the others. */
const SAME = `discount code coupon voucher promo promotion
buyer customer client contact subscriber lead purchaser
buy bought purchase purchased
mail email letter
invoice bill
subscription membership plan
back return refund refunded
product item course ebook
revenue turnover income earning earnings
unpaid overdue owe owes due
tag label mark
pause freeze suspend hold
schedule scheduled
bundle bundling package
best bestseller bestselling top
network platform social
webhook hook callback
notify tell inform
fail failed failing declined decline
task automation automatically automatic
table spreadsheet list
when whenever
import add upload`
  .split('\n')
  .map((line) => line.split(' '))
const STANDING = new Map(SAME.flatMap(([first, ...others]) => others.map((other) => [stem(other), stem(first ?? '')])))
const SEPARATORS = /[,;:.?]\s+|\n+|\s+(?:and|then|so that|but|or)\s+/i

/** Returns the stems of the meaningful words of a request. Words with the same meaning have the same stem. */
export function jobWords(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll(/e-mail/g, 'email')
      .replaceAll(/\S+@\S+/g, ' ')
      .match(/[a-z0-9]+/g) ?? []
  const stems = words.filter((word) => !EMPTY.has(word) && !/^\d/.test(word)).map(stem)
  return stems.map((word) => STANDING.get(word) ?? word)
}

/** Returns a question and, if it has several parts, also each part. */
export function jobParts(question: string): string[] {
  const parts = question.split(SEPARATORS).filter((part) => jobWords(part).length > 1)
  return parts.length > 1 ? [question, ...parts] : [question]
}

function stem(word: string): string {
  if (word.length < 4) return word
  const root = word
    .replace(/(?<![siu])s$/, '')
    .replace(/(?<=[a-z]{3})(?:ing|ed)$/, '')
    .replace(/([^aeiouls])\1$/, '$1')
  return root.length > 3 ? root.replace(/e$/, '').replace(/(?:y|ie)$/, 'i') : root
}
