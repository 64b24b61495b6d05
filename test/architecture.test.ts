import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CEILINGS } from './support/assertion-ceilings.ts'
import {
  ALLOWED,
  ALLOWED_IN_FEATURES,
  ENGINE_TYPES,
  EVERYWHERE,
  KNOW_FEATURES,
  KNOW_TYPES_OF_FEATURES,
  OPEN_DATABASE,
  OPENS_DATABASE,
  OPENS_SANDBOX,
  SHOWN,
  TABLES,
  TOUCHES_PROCESS,
  WITHIN_FEATURES,
} from './support/layers.ts'
import {
  assertionsIn,
  circles,
  codeOf,
  filesIn,
  importsOf,
  isNoun,
  isOfResources,
  needlessExports,
  partOf,
  read,
  runtimeImportsOf,
  sources,
  told,
} from './support/source-files.ts'

const MAX_LINES = 400

describe('imports', () => {
  const imports = sources.flatMap((file) => importsOf(file).map((target) => ({ file, target })))
  const between = imports.filter(({ file, target }) => partOf(file) !== partOf(target))

  it('point one way', () => {
    const wrong = between.filter(({ file, target }) => {
      if (KNOW_FEATURES.includes(file) && target.startsWith('features/')) return false
      if (KNOW_TYPES_OF_FEATURES.includes(file) && target.startsWith('features/')) return false
      const allowed = [...EVERYWHERE, ...(allowedFor(file) ?? [])]
      if (partOf(target) === 'sandbox' && OPENS_SANDBOX.includes(file)) return false
      return !allowed.some((one) => target === one || target.startsWith(`${one}/`))
    })
    expect(wrong.map(told)).toEqual([])
  })

  it('know every part of src', () => {
    expect(
      [...new Set(sources.map(partOf))].filter((part) => !part.startsWith('features/') && !(part in ALLOWED)),
    ).toEqual([])
  })

  it('reach the database through its interface, which only the wiring and the commands open', () => {
    const wrong = between.filter(
      ({ file, target }) =>
        partOf(target) === 'database' && !OPEN_DATABASE.includes(target) && !OPENS_DATABASE.includes(file),
    )
    expect(wrong.map(told)).toEqual([])
  })

  it('use the sandbox through its API', () => {
    const wrong = between.filter(
      ({ file, target }) =>
        partOf(target) === 'sandbox' && target !== 'sandbox/api.ts' && !OPENS_SANDBOX.includes(file),
    )
    expect(wrong.map(told)).toEqual([])
  })
})

describe('a feature', () => {
  const files = sources.filter((file) => file.startsWith('features/'))

  it('is known by the list of features and by types alone', () => {
    const knowing = sources.filter(
      (file) =>
        !file.startsWith('features/') && runtimeImportsOf(file).some((target) => target.startsWith('features/')),
    )
    expect(knowing.sort()).toEqual([...KNOW_FEATURES].sort())
  })

  it('has a list of commands that loads none of them', () => {
    const lists = files.filter((file) => /^features\/[^/]+\/commands\.ts$/.test(file))
    expect(lists.filter((file) => /^import (?!type )/m.test(codeOf(file)))).toEqual([])
    expect(lists).not.toEqual([])
  })

  it('has resources, providers and pages like the core, each of which knows only the parts below it', () => {
    const wrong = files.flatMap((file) => {
      const below = WITHIN_FEATURES[roomOf(file)]
      const home = partOf(file)
      return importsOf(file)
        .filter((target) => partOf(target) === home && roomOf(target) !== roomOf(file))
        .map((target) => target.slice(home.length + 1))
        .filter(
          (target) =>
            target.includes('/') && below && !below.some((one) => target === one || target.startsWith(`${one}/`)),
        )
        .map((target) => ({ file, target }))
    })
    expect(wrong.map(told)).toEqual([])
  })
})

describe('the resources', () => {
  const files = sources.filter(isOfResources)
  const isRead = (file: string) => /\bdashboardRead\(/.test(codeOf(file))
  const nouns = files.filter((file) => isNoun(file) && !isRead(file))

  it('have a noun and operations in each folder, under names that need no looking up', () => {
    const folders = new Set(
      files.filter((file) => /^(resources\/[^/]+|features\/[^/]+\/resources)\/[^/]+\/[^/]+$/.test(file)).map(dirname),
    )
    expect(folders.size).toBeGreaterThan(10)
    // Reads for the dashboard alone are functions and have no noun.
    const ofReads = new Set(
      files.filter((file) => file.startsWith('resources/dashboard/') && isRead(file)).map(dirname),
    )
    for (const folder of folders.difference(ofReads)) {
      expect(files).toContain(`${folder}/${basename(folder)}.ts`)
      expect(files).toContain(`${folder}/operations.ts`)
    }
  })

  it('have nouns that import nothing but the contract, other nouns and types', () => {
    const wrong = nouns.flatMap((file) =>
      runtimeImportsOf(file)
        .filter((target) => !target.startsWith('contract/') && !isNoun(target))
        .map((target) => ({ file, target })),
    )
    expect(wrong.map(told)).toEqual([])
  })

  it('have operations that shop.ts alone imports', () => {
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter(
          (target) =>
            basename(target) === 'operations.ts' &&
            !/^(resources\/(shop|dashboard)|features\/[^/]+\/resources)\.ts$/.test(file),
        )
        .map((target) => ({ file, target })),
    )
    expect(wrong.map(told)).toEqual([])
  })

  it('have tables that are types alone', () => {
    const runtime = [TABLES, ...SHOWN].flatMap((file) => codeOf(file).match(/^import (?!type )/gm) ?? [])
    const importers = sources.filter((file) =>
      /^import (?!type )[^\n]*resources\/(tables|nouns|operation-types)\.ts'/m.test(codeOf(file)),
    )
    expect([...runtime, ...importers]).toEqual([])
  })

  it('put the account into every query, and cast nothing away', () => {
    // People belong to several accounts, whole accounts are opened and deleted by no caller, and compiled queries name the account themselves.
    const own = [
      ...['address-link', 'current', 'forget', 'names'].map((name) => `resources/company/user/${name}.ts`),
      'resources/company/account/life/',
      'resources/dashboard/api-token/issue.ts',
      // Hosts of sites and passes for them name no account.
      'features/sites/resources/ai-site/served.ts',
      'features/sites/resources/ai-site/passes.ts',
    ]
    const bare = /\b(selectFrom|updateTable|deleteFrom)\(|\bas (never|any|unknown as)\b|: any\b/g
    const found = files.flatMap((file) => (codeOf(file).match(bare) ?? []).map((use) => `${file}: ${use}`))
    expect(found.filter((use) => !own.some((file) => use.startsWith(file)))).toEqual([])
  })
})

describe('transports and pages', () => {
  it('never touch SQL', () => {
    const touching = sources.filter(
      (file) =>
        /^((http|mcp|pages)|features\/[^/]+\/pages)\//.test(file) &&
        /from 'kysely'|\b(selectFrom|insertInto)\(/.test(codeOf(file)),
    )
    expect(touching.filter((file) => !ENGINE_TYPES.includes(file))).toEqual([])
  })

  it('ask for operations by their names, unless they work with any noun', () => {
    const asking = sources.filter((file) => /\bcallAny\b/.test(codeOf(file)))
    expect(asking).not.toEqual([])
    expect(asking.filter((file) => !/^pages\/dashboard\/(derived|kit)\//.test(file))).toEqual([])
  })
})

describe('the files of src', () => {
  // Without a circle, all that a file imports is ready before it runs, so any file can be the first that is imported.
  it('import each other in no circle', () => {
    expect(circles()).toEqual([])
  })

  it('export no function, class or constant that nobody imports', () => {
    expect(needlessExports()).toEqual([])
  })

  it('leave process to main.ts', () => {
    const touched = sources.flatMap((file) => {
      const uses = codeOf(file).match(/(?<![.\w'"`/-])process\.\w+|from 'node:process'|globalThis\.process/g) ?? []
      return uses.filter((use) => !TOUCHES_PROCESS[file]?.test(use)).map((use) => `${file}: ${use}`)
    })
    expect(touched).toEqual([])
  })

  it(`have at most ${MAX_LINES} lines`, () => {
    const long = sources.filter((file) => read('src', file).split('\n').length - 1 > MAX_LINES)
    expect(long).toEqual([])
  })

  /** Any raise needs a reason here. */
  const MAX_TOTAL = 124_520

  it(`have at most ${MAX_TOTAL} lines in all`, () => {
    const total = sources.reduce((sum, file) => sum + read('src', file).split('\n').length - 1, 0)
    expect(total).toBeLessThanOrEqual(MAX_TOTAL)
  })

  it('are named after what they are about', () => {
    const vague = /(^|\/)(utils?|helpers?|managers?|misc|common|shared|index)(\.ts)?(\/|$)/
    expect(sources.filter((file) => vague.test(file))).toEqual([])
  })

  it('speak of the shop, not of how they were written', () => {
    const ownWords = /\b(TODO|FIXME|XXX|HACK|as an AI|language model|chat session|prompt(ed)? by|issue #\d+)\b/i
    const paths = ['src', 'ruby-prelude', 'bin', 'examples', 'bench', '.ci'].flatMap((part) =>
      filesIn(part).map((file) => join(part, file)),
    )
    const found = paths.flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, index) => (ownWords.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    )
    expect(found).toEqual([])
  })
})

describe('what the compiler cannot check', () => {
  it('grows in no folder', () => {
    const folders = [...new Set(sources.filter((file) => file.includes('/')).map((file) => file.split('/')[0]!))]
    const grown = folders.flatMap((folder) => {
      const [found, most] = [assertionsIn(folder), CEILINGS[folder] ?? { casts: 0, absents: 0 }]
      const told = `${folder}: ${found.casts} casts and ${found.absents} uses of !, at most ${most.casts} and ${most.absents}`
      return found.casts > most.casts || found.absents > most.absents ? [told] : []
    })
    expect(grown).toEqual([])
  })
})

describe('the README of the tests', () => {
  it('says of each folder what it proves', () => {
    const folders = new Set(filesIn('test').flatMap((path) => path.match(/^[^/]+(?=\/)/) ?? []))
    const named = [...read('test/README.md').matchAll(/^\| `(\w+)\/` \|/gm)].map(([, name]) => name!)
    expect(named.sort()).toEqual([...folders].sort())
  })
})

/** The modules of other parts that a file may import. */
function allowedFor(file: string): string[] | undefined {
  return file.startsWith('features/') ? ALLOWED_IN_FEATURES[roomOf(file)] : ALLOWED[partOf(file)]
}

/** Returns the part of a feature that a file belongs to: `pages`, or an empty text for the files next to the manifest. */
function roomOf(file: string): string {
  const [, , room, ...rest] = file.split('/')
  return rest.length > 0 ? room! : ''
}
