-- What the picture of a post shows, for those who cannot see it.
alter table blog_posts add column featured_image_alt text;
