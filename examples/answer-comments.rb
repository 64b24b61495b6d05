# Answers the questions about downloads under the posts of the shop, and lists the other questions that nobody has answered yet.
waiting = list("/social_comments", status: "visible").select do |comment|
  !comment["from_account"] && comment["replies_count"] == 0 && comment["content"].include?("?") &&
    comment["allowed_actions"].include?("reply")
end

downloads, others = waiting.partition { |comment| comment["content"].match?(/\bdownload/i) }
downloads.each do |comment|
  post("/social_comments/#{comment["id"]}/reply", content: "Yes, everywhere and at once: the link is in your receipt.")
end

{
  answered: downloads.map { |comment| comment["author_name"] },
  open: others.map { |comment| { on: comment["platform"], by: comment["author_name"], says: comment["content"] } }
}
