import { describe, expect, it } from 'vitest'
import { builtInBuilder } from '../../../src/features/sites/providers/built-in/built-in.ts'

const SHOP = {
  name: 'Ada’s Bakery',
  description: null,
  email: null,
  url: 'https://shop.example',
  products: [],
  links: [],
}

/** The page that is made of a brief, as text. */
async function pageOf(prompt: string): Promise<string> {
  const brief = { id: 'site_1', name: prompt.slice(0, 20), prompt, repository: null, subdomain: null }
  const order = { brief, shop: SHOP, model: null, signal: AbortSignal.timeout(5_000) }
  const { files } = await builtInBuilder.work!.build(order)
  return Buffer.from(files.find(({ path }) => path === 'index.html')!.bytes).toString('utf8')
}

describe('The built-in builder', () => {
  it('shows what the brief says to visitors: headline, hours, address and paragraphs', async () => {
    const page = await pageOf(
      [
        'Build a website for my bakery. Headline: "Bread like at grandmother’s"',
        'Opening hours: Tuesday to Saturday, 7:00–18:30',
        'Show our address: Hauptstr. 5, 3011 Bern',
        'We bake with flour from the region. Every loaf rests for two days.',
        'Use warm colors.',
      ].join('\n'),
    )
    expect(page).toContain('<h1>Bread like at grandmother’s</h1>')
    expect(page).toContain('<dt>Opening hours</dt><dd>Tuesday to Saturday, 7:00–18:30</dd>')
    expect(page).toContain('<dt>Address</dt><dd>Hauptstr. 5, 3011 Bern</dd>')
    expect(page).toContain('<p>We bake with flour from the region.</p>')
    expect(page).toContain('<p>Every loaf rests for two days.</p>')
    expect(page).not.toContain('Use warm colors')
    expect(page).not.toContain('Build a website')
  })

  it('escapes what the brief says', async () => {
    const page = await pageOf('Fresh bread.\nHours: <script>alert(1)</script> & more\nWe <b>bake</b> daily.')
    expect(page).toContain('<dd>&lt;script&gt;alert(1)&lt;/script&gt; &amp; more</dd>')
    expect(page).toContain('We &lt;b&gt;bake&lt;/b&gt; daily.')
    expect(page).not.toContain('<script')
  })
})
