import { type Answer, bytesOf, type Shop, tokensOf } from './shop.ts'
import type { Step, Task } from './task.ts'

/** The cost of a task for an agent, and whether the result is right. */
export interface TaskResult {
  name: string
  bytes: number
  tokens: number
  calls: number
  /** The API calls that the agent's programs made. */
  requests: string[]
  /** The number of mistakes whose response said how to correct them, and the number of all mistakes. */
  repaired: [number, number]
  fault: string | null
}

export async function replay(shop: Shop, task: Task): Promise<TaskResult> {
  const answers: Answer[] = []
  const faults: string[] = []
  let repaired = 0
  for (const step of task.steps) {
    const answer = await shop.tool(step.tool, typeof step.code === 'string' ? step.code : step.code(answers))
    answers.push(answer)
    const fault = faultOf(step, answer)
    if (fault !== null) faults.push(fault)
    else if (step.repair) repaired += 1
  }
  const wrong = await graded(shop, task, answers.at(-1)!.text)
  if (wrong !== null) faults.push(wrong)
  return {
    ...costOf(task.name, answers),
    repaired: [repaired, task.steps.filter(({ repair }) => repair).length],
    fault: faults.length > 0 ? faults.join('; ') : null,
  }
}

export function costOf(name: string, answers: readonly Answer[]): Omit<TaskResult, 'repaired' | 'fault'> {
  const texts = answers.map(({ text }) => text)
  return {
    name,
    bytes: texts.reduce((sum, text) => sum + bytesOf(text), 0),
    tokens: texts.reduce((sum, text) => sum + tokensOf(text), 0),
    calls: answers.length,
    requests: answers.flatMap(({ calls }) => calls),
  }
}

/** Returns the reason why the shop or the final answer does not fulfill the task, or null. */
export async function graded(shop: Shop, task: Task, said: string): Promise<string | null> {
  try {
    await task.check(shop, said)
    return null
  } catch (error) {
    return error instanceof Error ? error.message.split('\n', 1)[0]! : String(error)
  }
}

/** Returns the reason why a mistake was not reported as expected. It may produce an error or a warning. */
function faultOf({ repair }: Step, { text, isError }: Answer): string | null {
  if (repair) return repair.test(text) ? null : `nothing repairs: ${text.slice(0, 200)}`
  return isError ? text.slice(0, 300) : null
}
