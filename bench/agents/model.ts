import { costOf, graded, type TaskResult } from './replay.ts'
import type { Answer, Shop } from './shop.ts'
import type { Task } from './task.ts'

const MOST_TURNS = 20

/** A model that is called through OpenAI's Chat Completions API, which many servers support. */
export interface Model {
  baseUrl: string
  id: string
  key: string | undefined
}

interface Message {
  role: string
  content: string | null
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

/** Returns the model that the environment variables `MODEL_BASE_URL`, `MODEL_ID` and `MODEL_API_KEY` describe, or null. */
export function modelOf({ MODEL_BASE_URL, MODEL_ID, MODEL_API_KEY }: NodeJS.ProcessEnv): Model | null {
  if (!MODEL_BASE_URL) return null
  if (!MODEL_ID) throw new Error('MODEL_BASE_URL is set, so MODEL_ID has to name a model.')
  return { baseUrl: MODEL_BASE_URL.replace(/\/$/, ''), id: MODEL_ID, key: MODEL_API_KEY }
}

/** Lets a model do a task with the two MCP tools only. */
export async function doneBy(model: Model, shop: Shop, task: Task): Promise<TaskResult> {
  const tools = (await shop.toolList()).map((tool) => {
    const { name, description, inputSchema } = tool as { name: string; description: string; inputSchema: object }
    return { type: 'function', function: { name, description, parameters: inputSchema } }
  })
  const messages: Message[] = [{ role: 'user', content: task.ask }]
  const answers: Answer[] = []
  let said = ''
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const message = await next(model, messages, tools)
    messages.push(message)
    said = message.content ?? ''
    if (!message.tool_calls?.length) break
    for (const { id, function: called } of message.tool_calls) {
      const answer = await shop.tool(called.name, codeOf(called.arguments))
      answers.push(answer)
      messages.push({ role: 'tool', tool_call_id: id, content: answer.text })
    }
  }
  return { ...costOf(task.name, answers), repaired: [0, 0], fault: await graded(shop, task, said) }
}

async function next({ baseUrl, id, key }: Model, messages: Message[], tools: object[]): Promise<Message> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model: id, messages, tools }),
    signal: AbortSignal.timeout(120_000),
  })
  if (!response.ok) throw new Error(`The model refused: ${response.status} ${(await response.text()).slice(0, 300)}`)
  return ((await response.json()) as { choices: { message: Message }[] }).choices[0]!.message
}

/** Returns the program in the model's arguments. If the arguments are not valid JSON, the tool's error tells the model. */
function codeOf(given: string): string {
  try {
    return String(JSON.parse(given).code ?? '')
  } catch {
    return ''
  }
}
