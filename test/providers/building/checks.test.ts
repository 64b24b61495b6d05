import { describe, expect, it } from 'vitest'
import { builtInBuilder } from '../../../src/features/sites/providers/built-in/built-in.ts'
import { themeOf } from '../../../src/features/sites/providers/built-in/theme.ts'
import { wordsOf } from '../../../src/features/sites/providers/built-in/words.ts'
import { checkSite } from '../../../src/features/sites/providers/check-site.ts'
import { elsewhereNotes } from '../../../src/features/sites/providers/elsewhere.ts'
import { pathProblem } from '../../../src/features/sites/providers/limits.ts'
import type { BuildOrder, ShopWindow } from '../../../src/features/sites/providers/provider.ts'

const SHOP: ShopWindow = {
  name: 'Ada & <Sons>',
  description: 'Paper, made by hand.',
  email: 'ada@example.com',
  url: 'https://shop.example/s/ada',
  links: [{ title: 'Terms', url: 'https://shop.example/s/ada/legal/terms' }],
  products: [
    ...[{ name: 'Cotton “A4”', description: '<b>200 g</b>', price: '$18.00', url: 'https://shop.example/s/ada/p/a4' }],
    ...[{ name: '紙', description: '', price: '', url: 'https://shop.example/s/ada/p/kami' }],
  ].map((product, index) => ({
    ...product,
    picture: index === 0 ? { bytes: Buffer.from('png'), contentType: 'image/png', alternative: 'A sheet' } : null,
  })),
}

const order = (prompt: string, name = 'The mill', shop: Partial<ShopWindow> = {}): BuildOrder => ({
  brief: { id: 'aisite_1', name, prompt, repository: null, subdomain: 'mill' },
  shop: { ...SHOP, ...shop },
  model: null,
  signal: new AbortController().signal,
})

const page = (body: string, head = '<title>A</title>') =>
  `<!doctype html><html lang="en"><head>${head}<meta name="viewport" content="width=device-width"></head><body>${body}</body></html>`
const GOOD = '<main><h1>A</h1></main>'
const check = (files: Record<string, string>) =>
  checkSite(Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })))
const ofPage = (body: string, head?: string) => check({ 'index.html': page(body, head) })

describe('The check of a site', () => {
  it('finds nothing wrong with a good one', () => {
    const index = page(
      `<main id="top"><h1>A</h1><h2>B</h2><h3>C</h3><h2>D</h2><a href="/b">B</a> <a href="b.html#x">X</a> <a href="/c/">C</a>
      <a href="https://shop.example/p">P</a> <a href="mailto:a@example.com">M</a> <a href="#top"><img src="a%20b.svg" alt="Up"></a>
      <form action="/b"><label>Q <input name="q"></label> <label for="w">W</label><input id="w"><button>Go</button></form>
      <script type="application/ld+json">{"a":1}</script><script src="/x.js"></script></main>`,
      '<title>A</title><link rel="stylesheet" href="s.css"><link rel="canonical" href="https://a.example/">',
    )
    const style =
      '@import "t.css"; body { background: url("a b.svg") #fff; color: #111 } /* url(none) */ a { background: url(data:image/png;base64,AA) }'
    const others = { 's.css': style, 't.css': '', 'a b.svg': '<svg/>', 'x.js': '1' }
    expect(
      check({
        'index.html': index,
        'b.html': page('<main><h1 id="x">B</h1></main>'),
        'c/index.html': page(GOOD),
        ...others,
      }),
    ).toEqual([])
  })

  it.each([
    ['<script>a()</script>', /Scripts inside a page do not run/],
    ['<p onclick="a()">x</p>', /The attribute onclick does not run/],
    ['<iframe src="/index.html" title="x"></iframe>', /<iframe> is not shown/],
    ['<object data="/index.html"></object>', /<object> is not shown/],
    ['<form action="https://evil.example"><button>Go</button></form>', /A form must not be sent to another site/],
    ['<form><button formaction="//evil.example/x">Go</button></form>', /A form must not be sent/],
    ['<script src="https://cdn.example/x.js"></script>', /the script from https:\/\/cdn\.example is not loaded/],
    ['<script src="//cdn.example/x.js"></script>', /the script from http:\/\/cdn\.example/],
    ['<script src="data:text/javascript,1"></script>', /the script from a data: address/],
    ['<img alt="" src="https://img.example/x.png">', /the picture from https:\/\/img\.example/],
    ['<img alt="" srcset="/index.html 1x, https://img.example/x.png 2x">', /the picture from https:\/\/img\.example/],
    ['<style>@import url(https://fonts.example/a.css);</style>', /the stylesheet from https:\/\/fonts\.example/],
    ['<p style="background: url(\'https://img.example/a\')">x</p>', /the file from https:\/\/img\.example/],
    ['<video poster="/no.png"></video>', /there is no picture at "\/no\.png"/],
    ['<a href="/nowhere">x</a>', /the link to "\/nowhere" leads to no file/],
    ['<a href="#none">x</a>', /the link to "#none" leads to no id in index\.html/],
    ['<a href="javascript:a()">x</a>', /has the scheme javascript:/],
    ['<a href="/"></a>', /A link has no words/],
    ['<button><img src="/index.html" alt=""></button>', /A button has no words/],
    ['<img src="/index.html">', /A picture has no alt/],
    ['<input name="q">', /A field has no <label>/],
    ['<h3>x</h3>', /<h3> comes after a heading that is not one level above it/],
    ['<h1>again</h1>', /exactly one <h1>, and has 2/],
    ['<i id="a"></i><i id="a"></i>', /The id "a" is used more than once/],
    ['<style>p { color: #777; background-color: #888 }</style>', /the text of p has a contrast of 1\.\d:1/],
    ['<style>:root { --a: #eee } p { color: var(--a); background: white }</style>', /has a contrast of/],
  ])('finds %s', (body, problem) => {
    expect(ofPage(`<main><h1>A</h1>${body}</main>`).join('\n')).toMatch(problem)
  })

  it('finds what every page needs', () => {
    expect(check({ 'index.html': '<p>x</p>' })).toEqual(
      [
        ...['It does not begin with <!doctype html>.', '<html> has no lang, such as lang="en".', 'It has no <title>.'],
        ...[
          'It has no <meta name="viewport" content="width=device-width, initial-scale=1">.',
          'It needs exactly one <main>.',
        ],
        'It needs exactly one <h1>, and has 0.',
      ].map((problem) => `index.html: ${problem}`),
    )
    expect(ofPage(GOOD, '<title> </title><meta http-equiv="refresh" content="0"><base href="/x/">')).toEqual([
      'index.html: A page must not lead elsewhere by itself (meta refresh).',
      'index.html: <base> has no effect on sites; write addresses from the root.',
      'index.html: It has no <title>.',
    ])
  })

  it('takes its time with nothing, however a page is written', () => {
    const deep = page(`<main><h1>A</h1>${'<b>'.repeat(40_000)}</main>`)
    expect(check({ 'index.html': deep })).toContain('index.html: Its elements are nested more than 250 deep.')
    for (const style of ['/*'.repeat(100_000), 'url('.repeat(70_000), '@import '.repeat(30_000), '{'.repeat(200_000)])
      expect(elsewhereNotes([{ path: 'a.css', bytes: Buffer.from(style) }])).toEqual([])
  }, 20_000)

  it('knows which paths a site may have', () => {
    for (const path of [
      'index.html',
      'a/b/c.css',
      'ümlaut 紙.html',
      '.well-known/security.txt',
      'a..b.txt',
      'a@2x.png',
    ])
      expect([path, pathProblem(path)]).toEqual([path, null])
    for (const path of [
      '',
      '/',
      '/a',
      'a/',
      'a//b',
      '../a',
      'a/../b',
      '.env',
      'a/.git/x',
      'a\\b',
      'a\0',
      'a?b',
      'a#b',
      'a%2e',
      ' a',
      'a ',
      'x'.repeat(201),
      '.well-known/',
      '.shopwright/x',
    ])
      expect([path, pathProblem(path)]).not.toEqual([path, null])
  })
})

describe('The built-in builder', () => {
  it('passes the check of sites, whatever the shop is like', async () => {
    for (const shop of [
      {},
      { products: [], description: null, email: null, links: [] },
      { products: SHOP.products.slice(0, 1) },
    ])
      for (const prompt of [
        'A calm shop window for paper.',
        'Build a modern website, please',
        '# agent\n',
        '"><script>alert(1)</script>',
      ]) {
        const { files } = await builtInBuilder.work!.build(order(prompt, 'The "mill" <b>', shop))
        expect(checkSite(files)).toEqual([])
      }
  })

  it('gives the same files for the same order', async () => {
    const [one, other] = [
      await builtInBuilder.work!.build(order('Paper.')),
      await builtInBuilder.work!.build(order('Paper.')),
    ]
    expect(one).toEqual(other)
    expect(one.files.map(({ path }) => path)).toEqual([
      ...[
        'index.html',
        '404.html',
        'assets/style.css',
        'assets/icon.svg',
        expect.stringMatching(/^assets\/\w{16}\.png$/),
      ],
    ])
  })

  it('shows visitors what is for them', () => {
    expect(wordsOf(order('Paper, calm and fast. Use blue.'))).toMatchObject({
      title: 'The mill',
      lead: 'Paper, calm and fast.',
      facts: [],
      paragraphs: [],
    })
    expect(wordsOf(order('Build me a site for paper.', 'Build me a site'))).toMatchObject({
      ...{ title: 'Ada & <Sons>', lead: 'Paper, made by hand.' },
    })
    expect(wordsOf(order('Make it.', 'The mill', { description: null }))).toMatchObject({
      title: 'The mill',
      lead: null,
    })
  })

  it('finds its colours in the brief, those that are named first of all', () => {
    expect(themeOf('a landing page for developers, in green', 'x')).toMatchObject({ hue: 150, letters: 'sans' })
    expect(themeOf('a bakery', 'x')).toMatchObject({ hue: 22, letters: 'serif' })
    expect(themeOf('', 'one').hue).not.toBe(themeOf('', 'other').hue)
  })
})
