import type { Answer } from '../../bench/agents/shop.ts'
import type { Task } from '../../bench/agents/task.ts'
import type { Reply, Script } from './model-server.ts'

/** Returns a script that repeats the transcripts of tasks and ends with the last tool result. */
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

/** Parses the text of a response, because a model sees nothing else of it. */
function answerOf(text: string): Answer {
  const plan = /plan_\w+/.exec(text)?.[0]
  return { body: { plan }, isError: false, text, calls: [] }
}
