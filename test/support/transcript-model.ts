import type { Answer } from '../../bench/agents/shop.ts'
import type { Task } from '../../bench/agents/task.ts'
import type { Reply, Script } from './model-server.ts'

/** A model that does tasks as their transcripts have it, and says at the end what it has read last. */
export function transcriptModel(tasks: readonly Task[]): Script {
  return ({ prompt, results }): Reply => {
    const task = tasks.find(({ ask }) => ask === prompt)
    if (!task) return { say: 'I do not know this task.' }
    const step = task.steps[results.length]
    if (!step) return { say: results.at(-1) ?? '' }
    const code = typeof step.code === 'string' ? step.code : step.code(results.map(answerOf))
    return { call: step.tool, with: { code } }
  }
}

/** Of an answer, a model knows only its text. */
function answerOf(text: string): Answer {
  const plan = /plan_\w+/.exec(text)?.[0]
  return { body: { plan }, isError: false, text, calls: [] }
}
