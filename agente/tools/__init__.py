"""What an agent may use. No tool confirms, approves or chooses whose data it reads."""
