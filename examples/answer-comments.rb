# Answers the questions about shipping under the posts of the shop, and lists the other questions that nobody has answered yet.
waiting = list("/social_comments", status: "visible").select do |comment|
  !comment["from_account"] && comment["replies_count"] == 0 && comment["content"].include?("?") &&
    comment["allowed_actions"].include?("reply")
end

shipping, others = waiting.partition { |comment| comment["content"].match?(/\bship/i) }
shipping.each do |comment|
  post("/social_comments/#{comment["id"]}/reply", content: "Yes, we do. It takes about a week; the costs are shown before you pay.")
end

{
  answered: shipping.map { |comment| comment["author_name"] },
  open: others.map { |comment| { on: comment["platform"], by: comment["author_name"], says: comment["content"] } }
}
