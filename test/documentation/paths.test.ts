import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesIn, ROOT, read } from '../support/source-files.ts'

const FOLDERS = [
  '.ci',
  '.github',
  'bench',
  'bin',
  'catalog',
  'docs',
  'examples',
  'release',
  'ruby-prelude',
  'src',
  'test',
]
const files = FOLDERS.flatMap((folder) => filesIn(folder).map((path) => join(folder, path)))
const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
  ...files.filter((path) => path.endsWith('/README.md')),
]
const decisions = files.filter((path) => path.startsWith('docs/decisions/') && !documents.includes(path))
/** The paths that exist only after a start, and those of the example in CONTRIBUTING.md. */
const MADE = ['data/', 'src/resources/sales/parcel/parcel.ts', 'test/api/parcel.test.ts']

/** Folders whose files a document names without them. */
const ALSO: Readonly<Record<string, readonly string[]>> = { 'src/providers/README.md': ['src/features'] }

describe('The documents', () => {
  it('name files and folders that exist', () => {
    const named = documents.flatMap((path) => namedIn(read(path)).map((name) => ({ path, name })))
    const inDecisions = decisions.flatMap((path) => namedIn(read(path)).map((name) => ({ path, name })))
    expect(named.length).toBeGreaterThan(200)
    // Decisions also write other things with a slash, such as methods of a protocol.
    const all = [...named, ...inDecisions.filter(({ name }) => /\w\.(ts|rb|sql)$/.test(name))]
    expect(all.filter(({ path, name }) => !MADE.includes(name) && !exists(name, path))).toEqual([])
  })

  it('find a name below the folder of their document, in src or in test, and no other', () => {
    const text =
      '`sql/gone.ts`, `migrate.ts` and `fire/`, not `/v1/x`, `npm run x` or `get("/x")`; `sqlite/*.ts` of `<kind>/provider.ts`'
    const names = namedIn(text)
    expect(names).toEqual(['sql/gone.ts', 'migrate.ts', 'fire/', 'sqlite/*.ts', '<kind>/provider.ts'])
    expect(names.filter((name) => !exists(name, 'src/database/README.md'))).toEqual([
      'sql/gone.ts',
      '<kind>/provider.ts',
    ])
  })

  it('link to files and headings that exist', () => {
    const links = documents.flatMap((path) =>
      [
        ...read(path)
          .replaceAll(/`[^`\n]+`/g, '')
          .matchAll(/\]\(([^)\s:]*)\)/g),
      ].map(([, target]) => ({ path, target: target! })),
    )
    expect(links.length).toBeGreaterThan(50)
    expect(links.filter(({ path, target }) => !leads(target, path))).toEqual([])
  })
})

describe('The README', () => {
  it('shows a tree of paths that exist', () => {
    const paths = treeIn(read('README.md'))
    expect(paths.length).toBeGreaterThan(5)
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })
})

describe('The README of the source', () => {
  it('says of each folder and file what it is', () => {
    const named = [...read('src/README.md').matchAll(/^\| `([^`]+?)\/?` \| /gm)].map(([, name]) => name!)
    const parts = readdirSync(join(ROOT, 'src')).filter((name) => name !== 'README.md')
    expect(named.sort()).toEqual(parts.sort())
  })
})

/** The back-quoted words that look like a file or a folder of the repository. */
function namedIn(text: string): string[] {
  const quoted = [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, words]) => words!)
  return quoted.filter(
    (words) =>
      /^[\w.*<][\w.*<>/-]*$/.test(words) && (words.includes('/') || /\w\.(ts|mjs|rb|sql|css|md|json)$/.test(words)),
  )
}

/** Whether a document may name this path: from the root or `src`, or the end of a path below its own folder or in `test`. */
function exists(name: string, document: string): boolean {
  const pattern = name.replaceAll('.', '\\.').replaceAll(/\*|<\w+>/g, '[^/]*') + (name.endsWith('/') ? '' : '(/|$)')
  const [whole, ending] = [new RegExp(`^(src/)?${pattern}`), new RegExp(`(^|/)${pattern}`)]
  const folders = [...(ALSO[document] ?? []), document.startsWith('docs/') ? '.' : dirname(document), 'test']
  return (
    existsSync(join(ROOT, name)) ||
    files.some((file) => whole.test(file)) ||
    files.some((file) => ending.test(file) && folders.some((folder) => folder === '.' || file.startsWith(`${folder}/`)))
  )
}

/** Whether a link of a document leads to a file, and to a heading of it. */
function leads(target: string, document: string): boolean {
  const [path = '', heading] = target.split('#')
  const file = path === '' ? document : join(dirname(document), path)
  if (!existsSync(join(ROOT, file))) return false
  return heading === undefined || headingsOf(read(file)).includes(heading)
}

function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, words]) =>
    words!
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

/** The paths of the first indented block that has a line `src/`, joined to those above them. */
function treeIn(text: string): string[] {
  const blocks = text.matchAll(/(?:^(?: {4}|\t).*\n?)+|^```\w*\n([\s\S]*?)^```$/gm)
  const tree =
    [...blocks].map(([whole, fenced]) => fenced ?? whole).find((block) => /^\s*src\/(\s|$)/m.test(block)) ?? ''
  const above: { indent: number; name: string }[] = []
  return tree.split('\n').flatMap((line) => {
    const [, spaces, name] = /^([\s│├└─]*)([\w.@-][\w.@/-]*)(?:\s|$)/.exec(line) ?? []
    if (spaces === undefined || name === undefined) return []
    while (above.length > 0 && above.at(-1)!.indent >= spaces.length) above.pop()
    above.push({ indent: spaces.length, name })
    return [above.map((one) => one.name).join('/')]
  })
}
