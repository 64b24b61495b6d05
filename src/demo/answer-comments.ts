import type { Body, Shopkeeper } from './shopkeeper.ts'

/** What the shop answers to the questions that people ask under its posts. */
const ANSWERS: Readonly<Record<string, string>> = {
  'When is the next date?': 'On the first Saturday of next month. Seats open on Friday.',
  'Can I download it in Norway?': 'Yes, in Norway and everywhere else, at once.',
}

/** Answers the questions under the posts of the shop, and likes the kind words where the platform lets it. */
export async function answerComments(shop: Shopkeeper): Promise<void> {
  const comments = await shop.list('/social_comments', { status: 'visible' })
  for (const comment of comments.filter(({ from_account }) => !from_account)) await react(shop, comment)
}

async function react(shop: Shopkeeper, { id, content, allowed_actions, replies_count }: Body): Promise<void> {
  const actions = allowed_actions as string[]
  const answer = ANSWERS[content as string]
  if (!answer && actions.includes('like')) await shop.call('POST', `/social_comments/${id}/like`)
  if (answer && replies_count === 0) await shop.call('POST', `/social_comments/${id}/reply`, { content: answer })
}
