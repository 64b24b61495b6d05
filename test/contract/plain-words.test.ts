import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
/** Folders whose literals people read outside of the product's own pages. */
const FOLDERS = [
  'access',
  'contract',
  'http',
  'mcp',
  'providers',
  'pipeline',
  'records',
  'resources',
  'sandbox',
  'format',
]
/** Phrases that have to be read twice, with what says the same at once. */
const PHRASES: [phrase: RegExp, instead: string][] = [
  [/hears? (of|nothing)/i, 'receives'],
  [/\bthe own\b/i, 'your own'],
  [/is one of another/i, 'belongs to another'],
  [/looks? anew|priced? anew|made anew/i, 'again, restarts'],
  [/looked for during/i, 'checked for'],
  [/(trial|which|it) runs on\b/i, 'continues'],
  [/there is nothing at/i, 'not found'],
  [/to what is not|what is no[t]? (a|an)\b/i, 'an invalid …'],
  [/\bunpacks to\b/i, 'is too large when uncompressed'],
  [/once it was taken|nobody has taken/i, 'once accepted'],
  [/where it did not go out/i, 'that failed'],
  [/\babout to end\b/i, 'scheduled for cancellation'],
  [/least amount|^least that/i, 'minimum'],
  [/only people of the account/i, 'only members'],
  [/wait until it is there/i, 'wait for it to finish'],
  [/takes? nobody/i, 'accepts nobody'],
  [/what came of|what became of|what has become of/i, 'the result of'],
  [/somebody wishes|somebody wants/i, 'on demand'],
  [/\b(comes|came) to\b/i, 'is, becomes'],
  [/\bkept away\b/i, 'blocked'],
  [/\b(is|are) told\b/i, 'receives, learns'],
  [/\bin vain\b/i, 'without success'],
  [/never looked at/i, 'ignored'],
  [/leads on\b|leads nowhere/i, 'redirects, stops working'],
  [/\btry at\b/i, 'attempt'],
  [/\bgive or take\b/i, 'to the minute'],
  [/whatever the quantity/i, 'for any quantity'],
  [/may hold\b/i, 'can contain'],
]

async function catalogueTexts(): Promise<string[]> {
  const names = await readdir(join(ROOT, 'catalog'))
  const files = await Promise.all(names.map((name) => readFile(join(ROOT, 'catalog', name), 'utf8')))
  return [...new Set(files.flatMap((file) => textsWithin(JSON.parse(file))))]
}

function textsWithin(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsWithin) : []
}

/** The literals of the source, as written; comments are left out. */
async function literals(folder: string): Promise<string[]> {
  const names = await readdir(join(ROOT, 'src', folder), { recursive: true })
  const sources = await Promise.all(
    names.filter((name) => name.endsWith('.ts')).map((name) => readFile(join(ROOT, 'src', folder, name), 'utf8')),
  )
  return sources.flatMap((source) => withoutComments(source).match(LITERAL) ?? []).map((text) => text.slice(1, -1))
}

const LITERAL = /'(?:[^'\\\n]|\\.)+'|"(?:[^"\\\n]|\\.)+"|`(?:[^`\\]|\\.)+`/g

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

/** The first line of each comment of the code. */
async function comments(folder: string): Promise<string[]> {
  const names = await readdir(join(ROOT, folder), { recursive: true })
  const sources = names.filter((name) => /\.(ts|mjs|rb)$/.test(name))
  const texts = await Promise.all(sources.map(async (name) => [name, await readFile(join(ROOT, folder, name), 'utf8')]))
  return texts.flatMap(([name, source]) =>
    [...source!.matchAll(name!.endsWith('.rb') ? RUBY_COMMENT : COMMENT)].map(
      ([, text]) => `${folder}/${name}: ${text}`,
    ),
  )
}

const COMMENT = /^[ \t]*(?:\/\*\*\s*(?:\* )?|\/\/ )(.+?)(?: \*\/)?$/gm
const RUBY_COMMENT = /^[ \t]*# (.+)$/gm
/** Openings of clauses that answer a question which nobody has asked, and words that have to be read twice. */
const RIDDLE =
  /^\S+: ((What|Whatever|Whoever|Whose|Whom|Those|So many|So that|Which|Of what|In which|From which|By which|To what)\b(?!.*\?)|.*\b(anew|in vain|whoever|comes to nothing|is told|are told)\b)/

function found(texts: string[], phrase: RegExp): string[] {
  return texts.filter((text) => phrase.test(text)).map((text) => text.slice(0, 200))
}

describe('The texts of the API', async () => {
  const texts = [...(await catalogueTexts()), ...(await Promise.all(FOLDERS.map(literals))).flat()]

  it('are many', () => {
    expect(texts.length).toBeGreaterThan(3000)
  })

  it.each(PHRASES)('do without %s: %s', (phrase) => {
    expect(found(texts, phrase)).toEqual([])
  })
})

describe('The comments of the code', async () => {
  const lines = (await Promise.all(['src', 'ruby-prelude', 'bench'].map(comments))).flat()

  it('are many', () => {
    expect(lines.length).toBeGreaterThan(6000)
  })

  it('are sentences with a subject and a verb, without riddles', () => {
    expect(found(lines, RIDDLE)).toEqual([])
  })
})
