import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KINDS } from '../support/layers.ts'
import { filesIn, importsOf, ROOT, read, sources, told } from '../support/source-files.ts'

/** The folders of kinds of providers, in the core and in features. */
const kinds = [
  ...[...KINDS, 'web'].map((kind) => `providers/${kind}`),
  ...readdirSync(join(ROOT, 'src/features')).map((name) => `features/${name}/providers`),
].filter((folder) => existsSync(join(ROOT, 'src', folder)))

/** Folders of providers, such as `providers/payments/stripe`. */
const providers = kinds.flatMap((kind) =>
  readdirSync(join(ROOT, 'src', kind), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ kind, name, folder: `${kind}/${name}` })),
)

/** Names of providers that are ordinary words too. Every other one is a name that only its own folder may say. */
const ORDINARY = [
  ...['test', 'simulated', 'outbox', 'local', 'by-hand', 'trial', 'webhook', 'feed', 'schedule', 'ruby'],
  // The last one is a protocol, which the API names too.
  ...['resolver', 'by-task', 'built-in', 'guarded', 'x402'],
]
/** Settings and versions are declared by public names; and no shop may take the subdomain of a well-known company. */
const MAY_NAME = [
  'providers/api-versions.ts',
  'settings/config.ts',
  'settings/payments.ts',
  'settings/forms.ts',
  'settings/values.ts',
  'features/social/settings.ts',
  'contract/values/reserved-names.ts',
]

describe('The folders of providers', () => {
  it.each(kinds.filter((kind) => kind !== 'providers/web'))('%s has an interface, a registry and providers', (kind) => {
    for (const file of ['provider.ts', 'registry.ts'])
      expect([file, existsSync(join(ROOT, 'src', kind, file))]).toEqual([file, true])
    expect(providers.filter((one) => one.kind === kind)).not.toEqual([])
  })

  it('are all kinds of providers, but for the web', () => {
    const folders = readdirSync(join(ROOT, 'src/providers'), { withFileTypes: true })
    const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    expect(names.sort()).toEqual([...KINDS, 'web'].sort())
  })

  it('are described in the README', () => {
    const files = [
      'src/providers/README.md',
      ...filesIn('src/features').flatMap((path) => (path.endsWith('README.md') ? [`src/features/${path}`] : [])),
    ]
    const text = files.map((path) => read(path)).join()
    const missing = [...KINDS, ...providers.map(({ name }) => name)].filter((name) => !text.includes(`\`${name}/\``))
    expect(missing).toEqual([])
  })
})

/** What takes files that a shop brings from elsewhere names the services that wrote them; none of those is reached. */
function ofFiles(file: string): boolean {
  return file.startsWith('features/importing/')
}

describe('A provider', () => {
  it('is imported by its own files and the registry of its kind alone', () => {
    const wrong = sources.flatMap((file) =>
      importsOf(file).flatMap((target) => {
        const provider = providers.find(({ folder }) => target.startsWith(`${folder}/`))
        const isFree = !provider || dirname(file).startsWith(provider.folder)
        return isFree || file === `${provider.kind}/registry.ts` ? [] : [told({ file, target })]
      }),
    )
    expect(wrong).toEqual([])
  })

  it('is named by its own files, the registry of its kind and the declaration of settings alone', () => {
    const names = providers.filter(({ name }) => !ORDINARY.includes(name))
    expect(names.length).toBeGreaterThan(2)
    const found = names.flatMap(({ kind, name, folder }) => {
      const word = new RegExp(name.length > 3 ? name : `\\b${name}\\b`, 'i')
      const others = sources.filter(
        (file) =>
          !file.startsWith(`${folder}/`) &&
          file !== `${kind}/registry.ts` &&
          !MAY_NAME.includes(file) &&
          !ofFiles(file),
      )
      return others.filter((file) => word.test(read('src', file))).map((file) => `${file} names ${name}`)
    })
    expect(found).toEqual([])
  })
})
