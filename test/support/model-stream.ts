import type { ServerResponse } from 'node:http'

/** The parts of a complete response that are streamed: https://docs.anthropic.com/en/docs/build-with-claude/streaming */
interface Message {
  content: ({ type: string; text?: string; input?: unknown } & Record<string, unknown>)[]
  stop_reason: string
  usage: { input_tokens: number; output_tokens: number }
}

/** Streams a response as the events of Anthropic's protocol. */
export function streamAnthropic(response: ServerResponse, message: Message): void {
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  send('message_start', { message: { ...message, content: [], stop_reason: null } })
  for (const [index, block] of message.content.entries()) {
    const isCall = block.type === 'tool_use'
    send('content_block_start', { index, content_block: isCall ? { ...block, input: {} } : { ...block, text: '' } })
    const delta = isCall
      ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
      : { type: 'text_delta', text: block.text }
    send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
  }
  const { stop_reason, usage } = message
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: usage.output_tokens } })
  send('message_stop', {})
  response.end()
}
