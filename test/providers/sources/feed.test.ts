import { describe, expect, it } from 'vitest'
import { readFeed } from '../../../src/providers/sources/feed/read-feed.ts'
import { SourceFailedError } from '../../../src/providers/sources/provider.ts'

const read = (text: string | Uint8Array, contentType = 'application/xml') =>
  readFeed(typeof text === 'string' ? Buffer.from(text) : text, contentType)
const rss = (items: string, before = '') =>
  `${before}<rss version="2.0"><channel><title>News</title><link>https://a.example</link>${items}</channel></rss>`
const item = (title: string) => `<item><guid>${title}</guid><title>${title}</title></item>`

describe('A feed', () => {
  it('of RSS 2.0 is read', async () => {
    const feed = await read(
      rss(
        `<item><title>One &amp; &#x1F600;</title><link>/one</link><guid>1</guid><description><![CDATA[<p>Hi</p>]]></description>
        <pubDate>Sat, 07 Nov 2026 09:00:00 GMT</pubDate><media:title>other</media:title><atom:link href="x"/></item>`,
        '<?xml version="1.0"?>',
      ),
    )
    expect(feed).toEqual({
      title: 'News',
      items: [
        {
          ...{ id: '1', title: 'One & 😀', link: '/one', summary: '<p>Hi</p>' },
          published: 'Sat, 07 Nov 2026 09:00:00 GMT',
        },
      ],
    })
  })

  it('of Atom is read, with text that holds elements', async () => {
    const feed = await read(`<feed xmlns="http://www.w3.org/2005/Atom"><title>Notes</title><entry>
      <id>urn:1</id><title type="xhtml"><div>A <b>bold</b> one</div></title><link rel="self" href="/self"/>
      <link href="https://b.example/1"/><updated>2026-11-07T09:00:00Z</updated><summary>Short</summary></entry></feed>`)
    expect(feed).toEqual({
      title: 'Notes',
      items: [
        {
          ...{ id: 'urn:1', title: 'A bold one', link: 'https://b.example/1', summary: 'Short' },
          published: '2026-11-07T09:00:00Z',
        },
      ],
    })
  })

  it('is read in the encoding that its server or its declaration names', async () => {
    const latin = Buffer.from(rss(item('Crème'), '<?xml version="1.0" encoding="ISO-8859-1"?>'), 'latin1')
    expect((await read(latin)).items[0]!.title).toBe('Crème')
    const plain = Buffer.from(rss(item('Crème')), 'latin1')
    expect((await read(plain, 'text/xml; charset=iso-8859-1')).items[0]!.title).toBe('Crème')
    expect((await read(Buffer.from(`\ufeff${rss(item('Crème'))}`, 'utf16le'))).items[0]!.title).toBe('Crème')
    expect((await read(rss(item('Crème')), 'text/xml; charset=unheard-of')).items[0]!.title).toBe('Crème')
  })

  it('expands no entity that it declares', async () => {
    const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')
    const bomb = `<!DOCTYPE rss [<!ENTITY l0 "ha"><!ENTITY f SYSTEM "file:///etc/passwd">${laughs}]>`
    const { items } = await read(rss('<item><title>&l9;&f;</title></item>', bomb))
    expect(items).toEqual([{ title: '&l9;&f;' }])
  })

  it('is read as far as it is of use', async () => {
    expect((await read(rss(Array.from({ length: 700 }, (_, n) => item(`${n}`)).join('')))).items).toHaveLength(500)
    expect((await read(rss(`<item><title>${'a'.repeat(100_000)}</title></item>`))).items[0]!.title).toHaveLength(5_000)
    expect((await read(rss(`${item('whole')}<item><title>cut`))).items.map(({ title }) => title)).toContain('whole')
    const deep = '<div>'.repeat(200_000)
    expect((await read(rss(`${item('before')}<item>${deep}</item>${item('after')}`))).items).toHaveLength(1)
    expect((await read(rss('<item><title>a\0b</title></item>'))).items[0]!.title).toBe('ab')
  })

  it('is refused when it is none', async () => {
    for (const text of ['', 'words', '<html><body><item/></body></html>', '{"items":[]}', '<rss'])
      await expect(read(text)).rejects.toThrow(SourceFailedError)
  })
})
