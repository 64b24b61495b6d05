import { text } from 'node:stream/consumers'
import { memoryInWords } from '../format/sizes.ts'
import { argumentsLine } from '../mcp/program/arguments.ts'
import { MAX_PROGRAM_BYTES, withoutFence } from '../mcp/program/text.ts'
import { readSettings, type Settings } from '../settings/config.ts'
import { callServer } from './call-server.ts'
import { CommandError, UsageError } from './exit-codes.ts'
import { readNamed } from './files.ts'
import { requireOwner } from './only-account.ts'
import { readOptions } from './options.ts'
import { runTool, type ToolCall } from './run-tool.ts'
import type { Terminal } from './terminal.ts'
import { showAnswer, type ToolAnswer } from './tool-answer.ts'

interface ProgramArguments {
  argv: string[]
  data?: unknown
}

export const USAGE = `Runs a Ruby program against the shop, as code_execute does.

  npm run -s exec -- PROGRAM.rb                    runs a file; with - or no file, reads standard input
  npm run -s exec -- PROGRAM.rb -- RED 42          passes arguments: ARGV is ["RED", "42"]
  npm run -s exec -- PROGRAM.rb --data FILE.json   passes a JSON file as data; - is standard input
  npm run -s exec -- --search PROGRAM.rb           searches the catalogue, as code_search does

The program's result goes to standard output as JSON, in full. What the program prints goes to standard error. With
--puts, it goes to standard output instead of the result. With --raw, a result that is text is written without JSON quoting.

It runs on the shop in this data directory. Set SHOPWRIGHT_URL and SHOPWRIGHT_TOKEN to run it on another server.`

const OPTIONS = { data: 'a JSON file, or - for standard input' }
const FLAGS = ['search', 'puts', 'raw'] as const

interface ExecRequest {
  tool: ToolCall['tool']
  /** The path of the program; undefined or `-` means standard input. */
  file: string | undefined
  data: string | undefined
  argv: string[]
  flags: Set<(typeof FLAGS)[number]>
}

export async function run(terminal: Terminal): Promise<number> {
  const request = readRequest(terminal.args)
  const { tool, flags } = request
  const settings = readSettings(terminal.environment)
  const code = withArguments(await readProgram(terminal, request), await readArguments(terminal, request))
  return showAnswer(terminal, withHint(await runProgram(terminal, settings, tool, code)), {
    puts: flags.has('puts'),
    raw: flags.has('raw'),
  })
}

const NO_DATA = /^undefined local variable or method [`']data'/

/** Adds a hint about `--data` to an error. The sandbox cannot add it, because it does not know the command line. */
function withHint(answer: ToolAnswer): ToolAnswer {
  const { error } = answer
  if (!error || !NO_DATA.test(error.message)) return answer
  return { ...answer, error: { ...error, hint: 'Give the program its data with --data FILE.json.' } }
}

/** Everything after the first `--` is an argument of the Ruby program. */
function readRequest(args: string[]): ExecRequest {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const { words, options, flags } = readOptions(args.slice(0, end), OPTIONS, USAGE, FLAGS)
  const [file, ...more] = words
  if (more.length > 0)
    throw new UsageError(`Only one program can run at a time. Put arguments for ${file} after --.`, USAGE)
  if (options.data === '-' && (file === undefined || file === '-'))
    throw new UsageError('Standard input cannot be both the program and its data: name a file for one of them.')
  const tool = flags.has('search') ? 'code_search' : 'code_execute'
  return { tool, file, data: options.data, argv: args.slice(end + 1), flags }
}

async function readProgram(terminal: Terminal, { file }: ExecRequest): Promise<string> {
  if (file !== undefined && file !== '-') return readNamed(terminal, file)
  if (terminal.input.isTTY && file === undefined) throw new UsageError('Name the program to run.', USAGE)
  return text(terminal.input)
}

async function readArguments(terminal: Terminal, { argv, data }: ExecRequest): Promise<ProgramArguments> {
  if (data === undefined) return { argv }
  const given = data === '-' ? await text(terminal.input) : await readNamed(terminal, data)
  return { argv, data: parseData(given, data === '-' ? 'Standard input' : data) }
}

function serverAddress(url: string): string {
  if (URL.canParse(url)) return url
  throw new UsageError('SHOPWRIGHT_URL must be a URL such as http://localhost:3000.')
}

function requireToken(token: string | undefined): string {
  if (token) return token
  throw new CommandError('badToken', 'SHOPWRIGHT_URL is set, so SHOPWRIGHT_TOKEN must be set too.')
}

/** Runs the program at SHOPWRIGHT_URL, or on the local shop. SHOPWRIGHT_TOKEN alone is ignored, because MCP clients use it, too. */
async function runProgram(
  terminal: Terminal,
  settings: Settings,
  tool: ToolCall['tool'],
  code: string,
): Promise<ToolAnswer> {
  const { SHOPWRIGHT_URL: url, SHOPWRIGHT_TOKEN: token } = terminal.environment
  if (url) return callServer(serverAddress(url), requireToken(token), { tool, code })
  return runTool(terminal, settings, { tool, code, as: requireOwner, tokenName: 'npm run exec' })
}

function parseData(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${(error as Error).message.replace(/\.$/, '')}.`)
  }
}

/** The comment with the arguments is at the end, so that it shifts no line numbers and leaves directives in the first lines intact. */
function withArguments(code: string, given: ProgramArguments): string {
  // A program that mentions ARGV gets an empty ARGV when no arguments were given.
  if (given.argv.length === 0 && given.data === undefined && !/\bARGV\b/.test(code)) return code
  const program = withoutFence(code)
  const whole = `${program}${program.endsWith('\n') ? '' : '\n'}${argumentsLine(given)}`
  const bytes = Buffer.byteLength(whole)
  if (bytes <= MAX_PROGRAM_BYTES) return whole
  throw new UsageError(
    `The program and its arguments are ${memoryInWords(bytes)} together; the limit is ${memoryInWords(MAX_PROGRAM_BYTES)}. Pass less data at a time.`,
  )
}
