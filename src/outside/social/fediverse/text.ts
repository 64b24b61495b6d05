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

/** Without regard to white space. */
export function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
