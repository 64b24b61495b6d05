-- Tokens that a command makes for one call on its own data have no rate limit.
alter table api_tokens add column unlimited integer not null default 0;
