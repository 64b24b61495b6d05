import { gzipSync } from 'node:zlib'
import type { Person } from './person.ts'

/** The files that a browser loads for a page before any interaction. */
export interface FirstLoad {
  /** The transferred size in bytes. */
  sent: number
  unpacked: number
  answers: number
  /** The file names of the scripts, without directories. */
  scripts: string[]
}

/** Measures a dashboard page with its stylesheets, its scripts and all their imports, and eagerly loaded frames. */
export async function firstLoadOf(person: Person, path: string): Promise<FirstLoad> {
  const { status, html } = await person.get(path)
  if (status !== 200) throw new Error(`${path} answers ${status}.`)
  const names = new Map(Object.entries(importsOf(html)).map(([name, address]) => [address, name]))
  const addresses = new Map([...names].map(([address, name]) => [name, address]))
  const fetched = new Map([[path, html]])
  const wanted = partsOf(html)
  for (const address of wanted) {
    if (fetched.has(address)) continue
    const text = (await person.get(address)).html
    fetched.set(address, text)
    if (text.startsWith('<!doctype')) wanted.push(...partsOf(text))
    for (const [, name] of text.matchAll(/^(?:import|export) (?:[^'"]* from )?['"]([^'"]+)['"]/gm))
      wanted.push(addresses.get(name!)!)
  }
  const texts = [...fetched.values()]
  return {
    sent: sum(texts.map((text) => gzipSync(text, { level: 9 }).length)),
    unpacked: sum(texts.map((text) => Buffer.byteLength(text))),
    answers: fetched.size,
    scripts: [...fetched.keys()].flatMap((address) => names.get(address) ?? []),
  }
}

function importsOf(html: string): Record<string, string> {
  const found = /<script type="importmap">(.*?)<\/script>/.exec(html)?.[1]
  if (found === undefined) throw new Error('The page has no import map.')
  return (JSON.parse(found) as { imports: Record<string, string> }).imports
}

function partsOf(html: string): string[] {
  const frames = [...html.matchAll(/<iframe [^>]*>/g)].filter(([tag]) => !tag.includes('loading="lazy"'))
  const found = [
    ...html.matchAll(/<link rel="(?:stylesheet|modulepreload)" href="([^"]+)"/g),
    ...html.matchAll(/<script type="module" src="([^"]+)"/g),
    ...frames.flatMap(([tag]) => [...tag.matchAll(/ src="([^"]+)"/g)]),
  ]
  return found.map(([, address]) => address!.replaceAll('&amp;', '&'))
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
