/** Characters that mean something in LinkedIn's little Text Format, and a backslash before them that takes that away. */
const RESERVED = /[\\|{}@[\]()<>#*_~]/g
const TAG = /(^|[^\p{L}\p{N}\\])#([\p{L}\p{N}]+)/gu

/** Words as LinkedIn takes them: plain but for hashtags (learn.microsoft.com/linkedin, little Text Format). */
export function littleText(words: string): string {
  let [text, end] = ['', 0]
  for (const { 0: found, 1: before = '', 2: tag = '', index } of words.matchAll(TAG)) {
    text += `${escaped(words.slice(end, index) + before)}{hashtag|\\#|${tag}}`
    end = index + found.length
  }
  return text + escaped(words.slice(end))
}

function escaped(words: string): string {
  return words.replace(RESERVED, '\\$&')
}
