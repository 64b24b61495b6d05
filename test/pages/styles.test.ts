import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SOCIAL_STYLE } from '../../src/features/social/pages/stylesheet.ts'
import { CHECKOUT_STYLE } from '../../src/pages/checkout/stylesheet.ts'
import { CONNECT_STYLE } from '../../src/pages/connect/consent.ts'
import { DASHBOARD_STYLE } from '../../src/pages/dashboard/kit/stylesheet.ts'
import { STYLE } from '../../src/pages/documentation/frame.ts'
import { FORM_STYLE } from '../../src/pages/forms/document.ts'
import { styleAnswer } from '../../src/pages/parts/asset.ts'
import { pageOf } from '../../src/pages/plan-frame/plan-frame.ts'
import { SIGN_IN_STYLE } from '../../src/pages/sign-in/document.ts'
import { STOREFRONT_STYLE } from '../../src/pages/storefront/frame.ts'
import { filesIn, read } from '../support/source-files.ts'

const TOKENS = 'parts/tokens.css'
const MAX_LINES = 300
/** Which tokens a property takes its values from, by the beginning of their names. */
const GROUPS: [RegExp, string][] = [
  [/^font-size$/, 'text'],
  [/^font-weight$/, 'weight'],
  [/^font-family$/, 'font'],
  [/^line-height$/, 'leading'],
  [/^letter-spacing$/, 'tracking'],
  [/^(margin|padding|gap|row-gap|column-gap|inset|top|bottom)\b/, 'space'],
  [/^border-(\w+-\w+-)?radius$/, 'radius'],
  [/^min-height$/, 'control'],
  [/^max-width$/, 'width'],
  [/^z-index$/, 'layer'],
  [/^(transition|animation)$/, 'duration'],
]
const COLOUR = /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch|light-dark)\(/i
/** Given by libraries (the editor of programs, highlighted code, the bar of a visit), and the methods of operations. */
const GIVEN_ELSEWHERE = /^(cm|tok|hljs|turbo)-|^(post|patch)$/
/** Folders whose parts are on pages of other areas, where those are. */
const SHARED = ['parts', 'dashboard/kit', 'dashboard/derived', 'dashboard/plots']

/** Areas that show the parts of another one. */
const SHOWS: Record<string, string> = { 'plan-frame': 'dashboard/agents', storefront: 'access' }

const files = filesIn('src/pages')
const sheets = files
  .filter((file) => file.endsWith('.css'))
  .map((file) => ({ file, area: areaOf(file), text: withoutComments(file) }))
const styled = sheets.filter(({ file }) => file !== TOKENS)
const ofFeatures = filesIn('src/features').filter((file) => file.includes('/pages/dashboard/'))
const pages = [
  ...files.map((file) => ({ file, area: areaOf(file) })),
  ...ofFeatures.map((file) => ({ file: `../features/${file}`, area: 'dashboard/of-features' })),
]
  .filter(({ file }) => /\.(ts|js)$/.test(file))
  .map(({ file, area }) => ({ area, given: givenBy(withoutComments(file)) }))
const tokens = new Map(declarationsOf(read('src/pages', TOKENS)).filter(([property]) => property.startsWith('--')))

describe('the stylesheets', () => {
  it('have no colour and no size of text outside the tokens', () => {
    const wrong = declared().filter(
      ({ property, value }) => COLOUR.test(value) || (property === 'font-size' && !/var\(|^inherit$/.test(value)),
    )
    expect(wrong).toEqual([])
  })

  it('have no value that a token has', () => {
    const wrong = declared().filter(({ property, value }) => {
      const group = GROUPS.find(([properties]) => properties.test(property))?.[1]
      const values = [...tokens].filter(([name]) => name.startsWith(`--${group}-`)).map(([, taken]) => taken)
      return value
        .split(/[\s(),]+/)
        .some((part) => values.includes(part.replace(/^-(?=\d)/, '')) || values.includes(part))
    })
    expect(wrong).toEqual([])
  })

  it('use tokens that there are, and every one of them', () => {
    const used = new Set(
      sheets.flatMap(({ text }) => [...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name!)),
    )
    expect([...used].filter((name) => !tokens.has(name))).toEqual([])
    expect([...tokens.keys()].filter((name) => !used.has(name))).toEqual([])
  })

  it('name classes that their own area gives, or the parts that it shares', () => {
    const wrong = styled.flatMap(({ file, area, text }) => {
      const near = pages.filter(
        (page) => [area, SHOWS[area]].includes(page.area) || sees(area, page.area) || sees(page.area, area),
      )
      const unknown = classesIn(text).filter((name) => !near.some(({ given }) => given(name)))
      return unknown.filter((name) => !GIVEN_ELSEWHERE.test(name)).map((name) => `${file}: .${name}`)
    })
    expect(wrong).toEqual([])
  })

  it('leave what is shared as it is, but inside of their own', () => {
    const below = styled.filter(
      ({ file, area }) => file === 'parts/base.css' || (area !== 'parts' && SHARED.includes(area)),
    )
    const shared = new Set(below.flatMap(({ text }) => classesIn(text)))
    const wrong = styled
      .filter(({ area }) => area.startsWith('dashboard/') && !SHARED.includes(area))
      .flatMap(({ file, text }) => selectorsIn(text).map((selector) => ({ file, selector })))
      .filter(({ selector }) => !classesIn(`${selector}{`).some((name) => !shared.has(name)))
    expect(wrong).toEqual([])
  })

  it('are no longer than a person reads at a time', () => {
    const lengths = sheets.map(({ file }) => ({ file, lines: read('src/pages', file).split('\n').length - 1 }))
    expect(lengths.filter(({ lines }) => lines > MAX_LINES)).toEqual([])
  })

  it('are all sent', async () => {
    const sent = [
      CHECKOUT_STYLE,
      CONNECT_STYLE,
      DASHBOARD_STYLE,
      FORM_STYLE,
      SIGN_IN_STYLE,
      SOCIAL_STYLE,
      STOREFRONT_STYLE,
      STYLE,
    ]
    const answers = [styleAnswer, ...sent.map(({ answer }) => answer)]
    const sheetsSent = await Promise.all(answers.map((answer) => answer({ req: { header: () => undefined } }).text()))
    const texts = [...sheetsSent, pageOf('https://shopwright.example')]
    const missing = sheets.filter(({ file }) => !texts.some((text) => text.includes(read('src/pages', file))))
    expect(missing.map(({ file }) => file)).toEqual([])
  })
})

/** `dashboard/kit` of `dashboard/kit/styles/tabs.css`. */
function areaOf(file: string): string {
  return dirname(file).replace(/\/styles$/, '')
}

/** Whether pages of an area are made with the parts of another. */
function sees(area: string, part: string): boolean {
  if (part === 'parts') return true
  return area.startsWith('dashboard') && (SHARED.includes(part) || part === 'dashboard/scripts')
}

function withoutComments(file: string): string {
  return read('src/pages', file).replace(/\/\*[\s\S]*?\*\//g, '')
}

/** Tells which classes a file may give to an element: words of its attributes and of its strings. */
function givenBy(code: string): (name: string) => boolean {
  const attributes = [...code.matchAll(/class="([^"]*)"/g)].map(([, text]) => text!)
  const strings = [...code.matchAll(/'([\w -]+)'/g)].map(([, text]) => text!)
  const begun = attributes.flatMap((text) => text.match(/[\w-]+-(?=\$\{)/g) ?? [])
  const words = new Set([...attributes, ...strings].flatMap((text) => text.match(/[\w-]+/g) ?? []))
  return (name) => words.has(name) || begun.some((beginning) => name.startsWith(beginning))
}

function declared() {
  return styled.flatMap(({ file, text }) =>
    declarationsOf(text).map(([property, value]) => ({ file, property, value })),
  )
}

function declarationsOf(text: string): [property: string, value: string][] {
  const found = text.matchAll(/(?<=[{;/]\s*)([\w-]+):\s*([^;{}]+);/g)
  return [...found].map(([, property, value]) => [property!, value!.replace(/\s+/g, ' ')])
}

/** Selectors of all rules, also of those inside `@media`. */
function selectorsIn(text: string): string[] {
  const heads = [...text.matchAll(/([^{};]+)\{/g)].map(([, head]) => head!.trim())
  return heads
    .filter((head) => !head.startsWith('@') && head !== 'to')
    .flatMap((head) => head.split(/,(?![^(]*\))/))
    .map((selector) => selector.trim())
}

function classesIn(text: string): string[] {
  const names = selectorsIn(text).flatMap((selector) => selector.replace(/"[^"]*"/g, '').match(/\.[a-z][\w-]*/gi) ?? [])
  return [...new Set(names)].map((name) => name.slice(1))
}
