-- The subscription of an MCP client that an endpoint belongs to, its token and user, and its end; null for endpoints of the merchant.
alter table webhook_endpoints add column subscription text;
alter table webhook_endpoints add column subscriber_token text;
alter table webhook_endpoints add column subscriber_user text;
alter table webhook_endpoints add column expires_at text;
