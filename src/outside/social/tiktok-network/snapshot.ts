import type { KnownPost, PostTotals, Snapshot, SyncRequest } from '../provider.ts'
import { type Api, CodedRefusalError } from './api.ts'
import { limitsOf, profileOf } from './profile.ts'
import { statusOf } from './publish.ts'
import { Videos } from './shapes.ts'

/** Videos that one request may name, and posts that are looked at, the newest. */
const TOGETHER = 20
const READ = 60
const FIELDS = 'id,view_count,like_count,comment_count,share_count'
const NOTHING = { reach: 0, clicks: 0, saves: 0 }

/** TikTok gives totals of each video and no days. Its views are the impressions. */
export async function snapshotOf(api: Api, { posts }: SyncRequest, isAudited: boolean): Promise<Snapshot> {
  const [profile, limits] = [await profileOf(api), await limitsOf(api, isAudited)]
  const newest = posts.toSorted((one, other) => other.publishedAt.localeCompare(one.publishedAt)).slice(0, READ)
  const totals: PostTotals[] = []
  for (let start = 0; start < newest.length; start += TOGETHER) {
    const known = await withVideoIds(api, newest.slice(start, start + TOGETHER))
    if (known.size === 0) continue
    const filters = { video_ids: [...known.keys()] }
    const { videos } = await api.post(`/video/query/?fields=${FIELDS}`, Videos, { filters })
    for (const { id, view_count, like_count: likes, comment_count: comments, share_count: shares } of videos) {
      const post = known.get(id)
      if (!post) continue
      totals.push({ post: post.id, figures: { ...NOTHING, impressions: view_count, likes, comments, shares } })
    }
  }
  return { profile, ...(limits && { limits }), comments: [], days: [], totals }
}

/** By TikTok's id of the video: a post that was out before TikTok gave that is known by the id of its publishing. */
async function withVideoIds(api: Api, posts: readonly KnownPost[]): Promise<Map<string, KnownPost>> {
  const known = new Map<string, KnownPost>()
  for (const post of posts) {
    const id = /^\d+$/.test(post.id) ? post.id : await laterId(api, post.id)
    if (id !== null) known.set(id, post)
  }
  return known
}

async function laterId(api: Api, publishId: string): Promise<string | null> {
  try {
    return (await statusOf(api, publishId)).publicaly_available_post_id?.[0] ?? null
  } catch (error) {
    if (error instanceof CodedRefusalError && !error.expired) return null
    throw error
  }
}
