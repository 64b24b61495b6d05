import { readFileSync } from 'node:fs'

const directory = new URL('../../ruby-prelude/', import.meta.url)

/** The Ruby files of the prelude, in load order. */
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
  'tables.rb',
  'words.rb',
  'search_index.rb',
  'synonyms.rb',
  'search.rb',
  'fit.rb',
  'describe.rb',
  'table.rb',
  'plain.rb',
  'forbidden.rb',
  'paths.rb',
  'requests.rb',
  'list.rb',
  'groups.rb',
  'period.rb',
  'local_time.rb',
  'batch.rb',
  'spelling.rb',
  'nil_source.rb',
  'hints.rb',
  'failure.rb',
  'arguments.rb',
  'runner.rb',
  'rehearsal.rb',
  'room.rb',
]

export interface PreludeFile {
  name: string
  code: string
}

/** Returns the Ruby files that every interpreter loads. */
export function preludeFiles(): PreludeFile[] {
  return names.map(read)
}

/** Returns the file that removes Ruby's access to files and processes. It is loaded last, because the other files use what it removes. */
export function stripFile(): PreludeFile {
  return read('strip.rb')
}

/** Returns the Ruby programs that run before the snapshot is taken, to fill Ruby's method caches. */
export function warmUpPrograms(): string[] {
  const [, ...programs] = read('warm_up.rb').code.split(/^(?:#.*\n)+|^-+\n/m)
  return programs
}

function read(name: string): PreludeFile {
  return { name, code: readFileSync(new URL(name, directory), 'utf8') }
}
