import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { findOwner } from '../access/accounts.ts'
import { readSettings, SettingError, type Settings } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'
import { callServer, runTool, type ToolCall } from './run-tool.ts'
import type { Terminal } from './terminal.ts'
import { type Answer, showAnswer } from './tool-answer.ts'

const USAGE = `Runs a Ruby program against the shop, as code_execute does.

  npm run exec -- PROGRAM.rb            runs a file
  npm run exec < PROGRAM.rb             runs standard input
  npm run exec -- --search PROGRAM.rb   runs it as code_search does, over the catalogue

It runs on the shop of this data directory. Set SHOPWRIGHT_URL and SHOPWRIGHT_TOKEN to run it on another server.`

/** `exec [--search] [FILE]`. Prints what the program printed, then its value; an error goes to standard error. */
export async function exec(terminal: Terminal): Promise<number> {
  const { tool, file } = readArguments(terminal.args)
  if (file === undefined && terminal.input.isTTY) {
    terminal.complain(USAGE)
    return 1
  }
  const code = await readProgram(terminal, file)
  const answer = await run(terminal, readSettings(terminal.environment), tool, code)
  return showAnswer(terminal, answer)
}

function readArguments(args: string[]): { tool: ToolCall['tool']; file: string | undefined } {
  const [file, ...more] = args.filter((one) => one !== '--search')
  if (file !== undefined && file !== '-' && file.startsWith('-'))
    throw new SettingError(`There is no option ${file}.\n\n${USAGE}`)
  if (more.length > 0) throw new SettingError(`Only one program can be run at a time.\n\n${USAGE}`)
  return { tool: args.includes('--search') ? 'code_search' : 'code_execute', file }
}

async function readProgram({ input }: Terminal, file: string | undefined): Promise<string> {
  if (file === undefined || file === '-') return text(input)
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SettingError(
      error.code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${error.message}.`,
    )
  })
}

function serverAddress(url: string): string {
  if (URL.canParse(url)) return url
  throw new SettingError('SHOPWRIGHT_URL is not an address such as http://localhost:3000.')
}

function requireToken(token: string | undefined): string {
  if (token) return token
  throw new SettingError('SHOPWRIGHT_URL is set, so SHOPWRIGHT_TOKEN must be set too.')
}

/** On the local shop, unless another server is named. A token alone names none: agents' clients take theirs from the same variable. */
async function run(terminal: Terminal, settings: Settings, tool: ToolCall['tool'], code: string): Promise<Answer> {
  const { SHOPWRIGHT_URL: url, SHOPWRIGHT_TOKEN: token } = terminal.environment
  if (url) return callServer(serverAddress(url), requireToken(token), { tool, code })
  const as = async (database: Database<Tables>) => (await findOwner(database))!
  return runTool(terminal, settings, { tool, code, as, tokenName: 'npm run exec' })
}
