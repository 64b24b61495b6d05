import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { streamAnthropic } from './model-stream.ts'

/** The next response of a scripted model. */
export type Reply =
  | { say: string }
  | { call: string; with: unknown }
  | { refuse: true }
  /** The response is truncated because it reached the token limit. */
  | { cut: string }
  | { status: number; headers?: Record<string, string>; words?: string }
  | { raw(response: ServerResponse): void }

/** A request to the model. */
export interface Turn {
  protocol: 'anthropic' | 'openai'
  model: string
  system: string
  /** The prompt of the user. */
  prompt: string
  /** The last message that is not a tool result. */
  last: string
  /** The results of tools, newest last. */
  results: string[]
  tools: string[]
  /** The requested token limit, by the name of its parameter. */
  limit?: Record<string, number>
  /** Whether a streamed response was requested. */
  streams: boolean
}

export type Script = (turn: Turn, number: number) => Reply

export interface ModelServer {
  url: string
  key: string
  script: Script
  turns: Turn[]
  close(): Promise<void>
}

const KEY = 'sk-model-0123456789'

/** Starts an HTTP server that speaks both protocols strictly: it refuses everything undocumented with 400. */
export async function startModelServer(): Promise<ModelServer> {
  const server: ModelServer = {
    url: '',
    key: KEY,
    script: () => ({ say: 'Done.' }),
    turns: [],
    close: () => new Promise((resolve) => http.close(() => resolve())),
  }
  const http = createServer(async (request, response) => {
    // Some clients first check whether the server is reachable.
    if (request.method === 'HEAD') return response.writeHead(200).end()
    try {
      const turn = turnOf(request, JSON.parse(await textOf(request)))
      server.turns.push(turn)
      return answer(response, turn, server.script(turn, server.turns.length))
    } catch (error) {
      const status = error instanceof Unauthorized ? 401 : 400
      return response
        .writeHead(status, JSON_TYPE)
        .end(JSON.stringify({ error: { message: String(error), type: 'invalid_request_error' } }))
    }
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  http.unref()
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`
  return server
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

class Unauthorized extends Error {}

// biome-ignore lint/suspicious/noExplicitAny: what a client sends
type Sent = any

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function require(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Error(`The request is wrong: ${what}`)
}

function turnOf({ method, url, headers }: IncomingMessage, body: Sent): Turn {
  require(method === 'POST', 'method')
  require(headers['content-type']?.startsWith('application/json'), 'content-type')
  require(typeof body.model === 'string', 'model')
  require(Array.isArray(body.messages) && body.messages.length > 0, 'messages')
  if (url === '/v1/messages' || url === '/v1/messages?beta=true') return anthropicTurn(headers, body)
  require(!body.stream, 'stream')
  require(url === '/v1/chat/completions', `path ${url}`)
  return openAiTurn(headers, body)
}

function anthropicTurn(headers: IncomingMessage['headers'], body: Sent): Turn {
  if (headers['x-api-key'] !== KEY) throw new Unauthorized('invalid x-api-key')
  require(headers['anthropic-version'] === '2023-06-01', 'anthropic-version')
  require(Number.isInteger(body.max_tokens), 'max_tokens')
  const isBeta = headers['anthropic-beta'] !== undefined
  const asked = new Set<string>()
  const results: string[] = []
  for (const { role, content } of body.messages) {
    require(role === 'user' || role === 'assistant' || (role === 'system' && isBeta), 'role')
    for (const part of Array.isArray(content) ? content : []) {
      if (part.type === 'tool_use') asked.add(part.id)
      if (part.type !== 'tool_result') continue
      require(asked.has(part.tool_use_id), 'a result without its call')
      results.push(typeof part.content === 'string' ? part.content : part.content.map((one: Sent) => one.text).join(''))
    }
  }
  for (const tool of body.tools ?? []) require(tool.input_schema?.type === 'object', 'input_schema')
  const said = body.messages.filter(({ role }: Sent) => role === 'user').map(({ content }: Sent) => textsOf(content))
  return {
    protocol: 'anthropic',
    model: body.model,
    system: textsOf(body.system ?? []),
    prompt: said[0],
    last: said.at(-1),
    results,
    tools: (body.tools ?? []).map((tool: Sent) => tool.name),
    streams: body.stream === true,
  }
}

/** Returns the texts of a message content, which may be a single string. */
function textsOf(content: Sent): string {
  if (typeof content === 'string') return content
  return content.flatMap((part: Sent) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function openAiTurn(headers: IncomingMessage['headers'], body: Sent): Turn {
  if (headers.authorization !== `Bearer ${KEY}`) throw new Unauthorized('invalid key')
  // OpenAI refuses the old parameter name for its current models; older servers refuse the new one.
  require(!isCurrent(body.model) || body.max_tokens === undefined, TOO_OLD)
  require(isCurrent(body.model) || body.max_completion_tokens === undefined, 'max_completion_tokens is not known')
  const asked = new Set<string>()
  const results: string[] = []
  const said = (role: string) =>
    body.messages
      .filter((message: Sent) => message.role === role)
      .map(({ content }: Sent) =>
        typeof content === 'string' ? content : content.map((part: Sent) => part.text).join('\n'),
      )
      .join('\n')
  for (const message of body.messages) {
    for (const call of message.tool_calls ?? []) asked.add(call.id)
    if (message.role !== 'tool') continue
    require(asked.has(message.tool_call_id), 'a result without its call')
    results.push(message.content)
  }
  for (const tool of body.tools ?? [])
    require(tool.type === 'function' && tool.function.parameters?.type === 'object', 'tools')
  return {
    protocol: 'openai',
    model: body.model,
    limit: isCurrent(body.model)
      ? { max_completion_tokens: body.max_completion_tokens }
      : { max_tokens: body.max_tokens },
    system: said('system'),
    prompt: said('user'),
    last: said('user'),
    results,
    tools: (body.tools ?? []).map((tool: Sent) => tool.function.name),
    streams: false,
  }
}

const TOO_OLD =
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."

function isCurrent(model: string): boolean {
  return /^(?:gpt-5|o\d)/.test(model)
}

let calls = 0

function answer(response: ServerResponse, { protocol, model, streams }: Turn, reply: Reply): void {
  if ('raw' in reply) {
    reply.raw(response)
    return
  }
  if ('status' in reply) {
    const error = { type: 'error', error: { type: 'api_error', message: reply.words ?? 'no' } }
    response.writeHead(reply.status, { ...JSON_TYPE, ...reply.headers }).end(JSON.stringify(error))
    return
  }
  calls += 1
  if (protocol === 'anthropic' && streams) {
    streamAnthropic(response, anthropicReply(model, reply))
    return
  }
  const body = protocol === 'anthropic' ? anthropicReply(model, reply) : openAiReply(model, reply)
  response.writeHead(200, JSON_TYPE).end(JSON.stringify(body))
}

type Said = Extract<Reply, { say: string } | { call: string; with: unknown } | { refuse: true } | { cut: string }>

function anthropicReply(model: string, reply: Said) {
  const content =
    'call' in reply
      ? [{ type: 'tool_use', id: `toolu_${calls}`, name: reply.call, input: reply.with }]
      : 'refuse' in reply
        ? []
        : [{ type: 'text', text: 'say' in reply ? reply.say : reply.cut }]
  const stop_reason =
    'call' in reply ? 'tool_use' : 'say' in reply ? 'end_turn' : 'cut' in reply ? 'max_tokens' : 'refusal'
  const usage = { input_tokens: 100, output_tokens: 10 }
  return {
    id: `msg_${calls}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason,
    stop_sequence: null,
    usage,
  }
}

function openAiReply(model: string, reply: Said) {
  const tool_calls =
    'call' in reply
      ? [
          {
            id: `call_${calls}`,
            type: 'function',
            function: { name: reply.call, arguments: JSON.stringify(reply.with) },
          },
        ]
      : undefined
  const content = 'say' in reply ? reply.say : 'cut' in reply ? reply.cut : null
  const finish_reason =
    'call' in reply ? 'tool_calls' : 'say' in reply ? 'stop' : 'cut' in reply ? 'length' : 'content_filter'
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
  const choices = [{ index: 0, message: { role: 'assistant', content, tool_calls }, finish_reason }]
  return { id: `chatcmpl-${calls}`, object: 'chat.completion', created: 0, model, choices, usage }
}
