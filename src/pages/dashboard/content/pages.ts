import type { DashboardPage } from '../kit/page.ts'
import type { View } from '../kit/visit.ts'
import { blogCategoryView, blogPostView, preview } from './blog.ts'
import { experiencePages, experienceView } from './experiences.ts'
import { filePages, fileView } from './files.ts'
import { formPages, formView, legalPageView, submissionView } from './forms.ts'
import { sitePages, siteView } from './sites.ts'

/** What is written and kept for visitors: articles, files, forms, sites. */
export const CONTENT_PAGES: DashboardPage[] = [preview, ...experiencePages, ...filePages, ...formPages, ...sitePages]

export const CONTENT_VIEWS: Record<string, View> = {
  blog_post: blogPostView,
  blog_category: blogCategoryView,
  experience: experienceView,
  file: fileView,
  form: formView,
  form_submission: submissionView,
  legal_page: legalPageView,
  ai_site: siteView,
}
