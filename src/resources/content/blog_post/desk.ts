import { timestamp } from '../../../contract/kinds.ts'
import { verbs } from '../../../records/verbs.ts'
import { BlogPost, WRITTEN } from './blog_post.ts'
import { createPost } from './create.ts'
import { archivePost, publishPost, schedulePost, unpublishPost } from './publish.ts'
import { deletePost, updatePost } from './update.ts'

const { create, update, remove, action } = verbs(BlogPost)

const emits = ['blog_post.updated']

/** Posts are written by people; the API reads them. */
export const writing = [
  create({
    summary: 'Write a blog post',
    description: 'It is a draft until it is published or scheduled.',
    emits: ['blog_post.created'],
    body: WRITTEN,
    rule: createPost,
  }),
  update({
    summary: 'Change a blog post',
    description: 'Readers see the change at once when it is published. A new address breaks links to the former one.',
    emits,
    body: WRITTEN,
    rule: updatePost,
  }),
  remove({
    summary: 'Delete a blog post',
    description: 'It disappears from the blog, and its address leads nowhere. It cannot be brought back.',
    emits: ['blog_post.deleted'],
    rule: deletePost,
  }),
  action('publish', {
    summary: 'Publish the post now',
    description: 'Everybody can read it in the blog of the shop from now on.',
    emits,
    rule: publishPost,
  }),
  action('schedule', {
    summary: 'Publish the post later',
    description: 'It stays out of the blog until then.',
    body: { scheduled_at: timestamp('When it is published, within a year').required() },
    emits,
    rule: schedulePost,
  }),
  action('unpublish', {
    summary: 'Make a draft of the post again',
    description: 'It is taken out of the blog, and no longer planned.',
    emits,
    rule: unpublishPost,
  }),
  action('archive', {
    summary: 'Archive the post',
    description: 'It is taken out of the blog and kept, with its date.',
    emits,
    rule: archivePost,
  }),
]
