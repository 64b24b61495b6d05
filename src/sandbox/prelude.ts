import { readFileSync } from 'node:fs'

const directory = new URL('../../ruby-prelude/', import.meta.url)

/** The guest's side in the order of loading. */
const names = [
  'bridge.rb',
  'json.rb',
  'set.rb',
  'time.rb',
  'output.rb',
  'run.rb',
  'answer.rb',
  'refusal.rb',
  'tools.rb',
  'plain.rb',
  'forbidden.rb',
  'paths.rb',
  'requests.rb',
  'list.rb',
  'spelling.rb',
  'nil_source.rb',
  'hints.rb',
  'failure.rb',
  'runner.rb',
  'room.rb',
]

export interface PreludeFile {
  name: string
  code: string
}

/** The files of `ruby-prelude/` that make the room. */
export function preludeFiles(): PreludeFile[] {
  return names.map(read)
}

/** The file that takes Ruby's outward abilities away. It comes last: everything before it needs what it takes. */
export function stripFile(): PreludeFile {
  return read('strip.rb')
}

/** Programs to run before the snapshot is taken. */
export function warmUpPrograms(): string[] {
  const [, ...programs] = read('warm_up.rb').code.split(/^(?:#.*\n)+|^-+\n/m)
  return programs
}

function read(name: string): PreludeFile {
  return { name, code: readFileSync(new URL(name, directory), 'utf8') }
}
