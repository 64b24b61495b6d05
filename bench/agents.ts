import { BILLING } from './agents/billing.ts'
import { JOBS } from './agents/jobs.ts'
import { MISTAKES } from './agents/mistakes.ts'
import { doneBy, modelOf } from './agents/model.ts'
import { answersOf, peers } from './agents/peers.ts'
import { PUBLISHING } from './agents/publishing.ts'
import { replay, type TaskResult } from './agents/replay.ts'
import { SELLING } from './agents/selling.ts'
import { openShop, type Shop, tokensOf } from './agents/shop.ts'
import { median } from './measure.ts'
import { dataDirectory } from './servers.ts'

/** Measures the tokens and tool calls that tasks cost, as transcripts do them or, if `MODEL_BASE_URL` is set, as a model does them. */
const TARGET = { median: 10_000, most: 15_000, calls: 2 }

const model = modelOf(process.env)
const { directory, remove } = await dataDirectory()
const shop = await openShop(directory)
try {
  const right = await all([...SELLING, ...BILLING, ...PUBLISHING])
  show('Tasks', right)
  show('Whole jobs', await all(JOBS))
  if (!model) show('Tasks that begin with a mistake', await all(MISTAKES))
  await compare(shop, right)
} finally {
  await shop.close()
  await remove()
}

async function all(tasks: typeof SELLING): Promise<TaskResult[]> {
  const done: TaskResult[] = []
  for (const task of tasks) done.push(await (model ? doneBy(model, shop, task) : replay(shop, task)))
  return done
}

function show(title: string, done: readonly TaskResult[]): void {
  console.log(`\n${title}\n  bytes  tokens  calls  repaired`)
  for (const { name, bytes, tokens, calls, repaired, fault } of done) {
    const mended = repaired[1] > 0 ? repaired.join('/') : ''
    const row = [
      String(bytes).padStart(7),
      String(tokens).padStart(7),
      String(calls).padStart(6),
      mended.padStart(9),
    ].join('')
    console.log(`${row}  ${name}${fault === null ? '' : `  WRONG: ${fault}`}`)
    if (fault !== null) process.exitCode = 1
  }
  const of = (part: 'bytes' | 'tokens' | 'calls') => done.map((one) => one[part])
  const rightOnes = done.filter(({ fault }) => fault === null).length
  console.log(
    `median ${median(of('bytes'))} bytes (target ${TARGET.median}), most ${Math.max(...of('bytes'))} (target ${TARGET.most}), ` +
      `median ${median(of('tokens'))} tokens, ${median(of('calls'))} calls (target ${TARGET.calls}); ${rightOnes} of ${done.length} right`,
  )
}

async function compare(at: Shop, done: readonly TaskResult[]): Promise<void> {
  const own = tokensOf(JSON.stringify(await at.toolList()))
  const read = median(done.map(({ tokens }) => tokens))
  console.log('\nWhat an agent reads for a task, in tokens: before the first call, and in the median of answers')
  console.log(`  the two tools: ${own} and ${read}`)
  const answers: number[] = []
  for (const one of done) answers.push(await answersOf(at, one))
  for (const { name, tokens } of await peers(at))
    console.log(
      `  ${name}: ${tokens} and about ${Math.round(median(answers) / 4)} (the answers to the same reads, at four bytes a token)`,
    )
}
