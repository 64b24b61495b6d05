import { Parser } from 'htmlparser2'

/** The words of a status, which instances give as HTML. */
export function plainText(html: string): string {
  let text = ''
  const parser = new Parser({
    ontext(words) {
      text += words
    },
    onopentag(tag) {
      if (tag === 'br' || tag === 'p') text += ' '
    },
  })
  parser.end(html)
  return inOneLine(text)
}

/** Compares texts without regard to white space, and to the servers of mentions: a status shows `@ada` for `@ada@example.social`. */
export function isSameText(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => inOneLine(text).replace(SERVER_OF_MENTION, '$1'))
  return first === second
}

const SERVER_OF_MENTION = /(@[\w.-]+)@[\p{L}\p{N}.-]*[\p{L}\p{N}]/gu

/** Without regard to white space. */
function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
