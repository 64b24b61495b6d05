import { setTimeout as delay } from 'node:timers/promises'
import { type Agent, startAgent, type ToolResult } from '../agent.ts'

/** The progress of a background program as its agent reads it. */
export interface Progress {
  background: string
  state: string
  rows: number
  done: number
  left_out?: number
  batches: number
  batches_left: number
  changed: Record<string, number>
  last_value?: unknown
  sum?: number
  asks_for?: string[]
  waits_until?: string
  error?: { type: string; message: string; line: number | null; hint: string | null }
}

export type Content = ToolResult['structuredContent'] & { plan: string; warnings?: string[]; result: Progress }

/** Rows that one program makes, so that its five seconds suffice on a busy machine. */
export const AT_ONCE = 20

/** Starts an agent for a shop, with helpers for customers and background programs. */
export async function backgroundShop(options: Parameters<typeof startAgent>[0]) {
  const agent = await startAgent(options)
  return { agent, ...waysOf(agent) }
}

export function waysOf(agent: Agent, token?: string) {
  const execute = async (code: string): Promise<Content> => {
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    return (await agent.execute(code, { headers })).structuredContent as Content
  }
  const status = async (id: string) => (await execute(`# status: ${id}`)).result
  return {
    execute,
    status,
    /** Creates customers whose e-mail addresses begin with `word`. */
    async customers(word: string, count: number): Promise<void> {
      for (let from = 0; from < count; from += AT_ONCE) {
        const each = `post("/customers", email: "${word}#{i + ${from}}@example.com", name: "${word}")`
        const { error } = await execute(`${Math.min(AT_ONCE, count - from)}.times { |i| ${each} }; nil`)
        if (error) throw new Error(error.message)
      }
    },
    /** Waits until the program is in one of these states, and returns its progress. */
    async until(id: string, ...states: string[]): Promise<Progress> {
      for (let tries = 0; tries < 600; tries++) {
        const progress = await status(id)
        if (states.includes(progress.state)) return progress
        // Slow enough to stay within the rate limits of the tests.
        await delay(200)
      }
      throw new Error(`${id} is still ${(await status(id)).state}`)
    },
  }
}
