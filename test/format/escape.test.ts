import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvLine, withoutApostrophe } from '../../src/format/csv.ts'
import { isolated } from '../../src/format/direction.ts'
import { escapeForDiscord, escapeForSlack, escapeHtml } from '../../src/format/escape.ts'
import { plainText } from '../../src/format/plain-text.ts'

describe('Text in HTML', () => {
  it('ends neither an element nor an attribute', () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
      '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
    )
  })

  it('is read back as it was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"']/)
        expect(plainText(escapeHtml(text))).toBe(text.replace(/\s+/g, ' ').trim())
      }),
    )
  })
})

describe('Text in a message', () => {
  it('to Slack links nothing and calls nobody', () => {
    expect(escapeForSlack('<!channel> & <https://x|y> "it\'s"')).toBe(
      '&lt;!channel&gt; &amp; &lt;https://x|y&gt; "it\'s"',
    )
  })

  it('to Discord marks nothing and calls nobody', () => {
    expect(escapeForDiscord('@everyone **x** [a](b) `c`')).toBe('@\u200beveryone \\*\\*x\\*\\* \\[a\\](b) \\`c\\`')
  })
})

describe('A line of CSV', () => {
  it('quotes what would end a cell, and runs no formula', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', '=1+1', '-5.00', '@x', ''])).toBe(
      `a,"b,c","say ""hi""","two\nlines",'=1+1,-5.00,'@x,\r\n`,
    )
  })

  it.each(['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫'])(
    'runs nothing that begins with %s, whatever is before it',
    (sign) => {
      for (const before of [
        '',
        ' ',
        '\u3000',
        '\u200b',
        '\ufeff',
        '\t',
        '\r',
        '\n',
        '\u0001',
        '\u001b',
        '\u0085',
        "'",
        "''",
      ]) {
        const cell = `${before}${sign}1+1`
        const written = csvLine([cell]).replace(/^"|"?\r\n$/g, '')
        expect(written).toBe(`'${cell}`)
        expect(withoutApostrophe(written)).toBe(cell)
      }
    },
  )

  it.each(["'1234567890", "'text", '1234567890'])('gives %s back as it was', (cell) => {
    expect(withoutApostrophe(csvLine([cell]).trimEnd())).toBe(cell)
  })

  it('keeps amounts below 0 numbers', () => expect(csvLine(['-12.50', '-x'])).toBe("-12.50,'-x\r\n"))
})

describe('A name in a sentence', () => {
  it.each(['Ruby Handbook', 'Ébène & Söhne', '漢字の本', '🎁', ''])('stays %s', (name) => {
    expect(isolated(name)).toBe(name)
  })

  it.each(['ספר רובי', 'كتاب روبي', 'Ruby כרך 2'])('is isolated where %s is read from the right', (name) => {
    expect(`${isolated(name)} renews at $9.00`).toBe(`\u2068${name}\u2069 renews at $9.00`)
  })

  it('cannot turn around what surrounds it', () => {
    expect(isolated('\u202eevil\u2066')).toBe('evil')
    expect(isolated('\u2069שלום\u202e')).toBe('\u2068שלום\u2069')
  })
})
